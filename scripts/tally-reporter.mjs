// A vitest reporter that counts tests into the file named by KARPENTER_TALLY. A file that cannot be loaded
// and an error outside any test count as failures.
import { writeFileSync } from 'node:fs';

export default class TallyReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      if (module.errors().length > 0) tally.failed += 1;
      for (const test of module.children.allTests()) tally[test.result().state] += 1;
    }
    if (process.env.KARPENTER_TALLY) writeFileSync(process.env.KARPENTER_TALLY, JSON.stringify(tally));
  }
}
