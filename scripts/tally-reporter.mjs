// A vitest reporter that writes the counts and the names of failed tests to the file KARPENTER_TALLY. A file
// that does not load and an error outside any test count as failures.
import { writeFileSync } from 'node:fs';

export default class TallyReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tally = { passed: 0, failed: 0, skipped: 0, failures: [] };
    const fail = (where, errors = []) => {
      tally.failed += 1;
      tally.failures.push({ where, errors: errors.map(({ message }) => message) });
    };
    for (const error of unhandledErrors) fail('outside any test', [error]);
    for (const module of modules) {
      const file = `${module.project.name} ${module.relativeModuleId}`;
      if (module.errors().length > 0) fail(file, module.errors());
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'failed') fail(`${file} > ${test.fullName}`, errors);
        else tally[state] += 1;
      }
    }
    if (process.env.KARPENTER_TALLY) writeFileSync(process.env.KARPENTER_TALLY, JSON.stringify(tally));
  }
}
