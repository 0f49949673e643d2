import type { Change } from './change.ts';
import type { Entry } from './entry.ts';

/** What a journal found when it was opened. */
export interface Recovered {
  readonly revision: number;
  readonly entries: readonly Entry[];
}

/** Where changes are written down before anybody is told of them. */
export interface Journal {
  readonly recovered: Recovered;
  /** Calls `written` once the change would outlive the process, in the order of the calls. */
  append(change: Change, written: () => void): void;
  /** From now on a start needs only this state and what is appended later. */
  close(): Promise<void>;
}

/** Nothing outlives the process. */
export const memoryJournal: Journal = {
  recovered: { revision: 0, entries: [] },
  append: (_change, written) => written(),
  close: async () => {},
};
