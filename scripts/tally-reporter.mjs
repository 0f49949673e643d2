// A vitest reporter that writes the counts and the names of failed tests to the file KARPENTER_TALLY, after each
// test file, so that the runner knows what is left if the process dies. A file that does not load and an error
// outside any test count as failures.
import { writeFileSync } from 'node:fs';

export default class TallyReporter {
  #tally = { passed: 0, failed: 0, skipped: 0, failures: [], planned: [], ended: [], isComplete: false };

  onTestRunStart(specifications) {
    this.#tally.planned = specifications.map(({ moduleId }) => moduleId);
    this.#write();
  }

  onTestModuleEnd(module) {
    const file = `${module.project.name} ${module.relativeModuleId}`;
    if (module.errors().length > 0) this.#fail(file, module.errors());
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === 'failed') this.#fail(`${file} > ${test.fullName}`, errors);
      else this.#tally[state] += 1;
    }
    this.#tally.ended.push(module.moduleId);
    this.#write();
  }

  onTestRunEnd(_modules, unhandledErrors) {
    for (const error of unhandledErrors) this.#fail('outside any test', [error]);
    this.#tally.isComplete = true;
    this.#write();
  }

  #fail(where, errors = []) {
    this.#tally.failed += 1;
    this.#tally.failures.push({ where, errors: errors.map(({ message }) => message) });
  }

  #write() {
    if (process.env.KARPENTER_TALLY) writeFileSync(process.env.KARPENTER_TALLY, JSON.stringify(this.#tally));
  }
}
