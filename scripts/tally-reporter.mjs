// A vitest reporter that writes the counts and the names of failed tests to the file KARPENTER_TALLY, after each
// test file, so that the runner knows what is left if a process dies. A file that does not load and an error
// outside any test count as failures; a process that died does not, because the runner runs its file again.
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export default class TallyReporter {
  #tally = {
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: [],
    planned: [],
    ended: [],
    deaths: 0,
    isComplete: false,
  };

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
    for (const error of unhandledErrors) {
      if (isProcessDeath(error)) this.#tally.deaths += 1;
      else this.#fail('outside any test', [error]);
    }
    this.#tally.isComplete = true;
    this.#write();
  }

  #fail(where, errors = []) {
    this.#tally.failed += 1;
    this.#tally.failures.push({ where, errors: errors.map(withDifference) });
  }

  #write() {
    if (process.env.KARPENTER_TALLY) writeFileSync(process.env.KARPENTER_TALLY, JSON.stringify(this.#tally));
  }
}

/** The message alone often says only that two values differ. */
function withDifference({ message, diff }) {
  return diff === undefined ? message : `${message}\n${stripVTControlCharacters(diff)}`;
}

/** vitest has no code for it, only these words. */
function isProcessDeath({ cause }) {
  return cause?.message === 'Worker exited unexpectedly';
}
