import { Entry, entryKey } from './entry.ts';
import type { ChangeRecord } from './journal-record.ts';

/** Objects as the records read so far leave them. */
export class RecoveredState {
  readonly #entries = new Map<string, Entry>();
  #revision = 0;

  get revision(): number {
    return this.#revision;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** There are no changes up to here that are not in the state. */
  reach(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
  }

  apply(record: ChangeRecord): void {
    this.reach(record.revision);
    if ('put' in record) {
      const entry = new Entry(record.put, record.object, record.revision);
      this.#entries.set(`${record.put} ${entry.key}`, entry);
    } else this.#entries.delete(`${record.remove} ${entryKey(record.namespace, record.name)}`);
  }

  clear(): void {
    this.#entries.clear();
  }
}
