import { Entry, entryKey } from './entry.ts';
import type { ChangeRecord } from './journal-record.ts';

/** The objects after applying the records read so far. */
export class RecoveredState {
  readonly #entries = new Map<string, Entry>();
  #revision = 0;

  get revision(): number {
    return this.#revision;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** States that all changes up to this revision are included. */
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
