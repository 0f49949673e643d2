import { Replay, type Write } from '../workspace/crash/findings.ts';

/**
 * Follows the writes of several watches in order of revision, with constant memory. Watches are not in step
 * with each other, so a write counts only at the second call of `advance` after it was seen.
 */
export class ObservedWrites {
  readonly #replay: Replay;
  #recent: Write[] = [];
  #older: Write[] = [];

  constructor(budget: number, lost: ReadonlySet<string>) {
    this.#replay = new Replay(budget, lost);
  }

  add(write: Write): void {
    this.#recent.push(write);
  }

  /** New violations, in sentences. */
  advance(): readonly string[] {
    const due = this.#older.sort((a, b) => a.revision - b.revision);
    this.#older = this.#recent;
    this.#recent = [];
    for (const write of due) this.#replay.see(write);
    return this.#replay.violations.splice(0);
  }

  superfluous(launched: ReadonlySet<string>): readonly string[] {
    return this.#replay.superfluous(launched);
  }
}
