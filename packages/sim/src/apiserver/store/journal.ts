import type { CodedError } from '@karpenter/core/errors';
import type { StoreChange } from './change.ts';
import type { Entry } from './entry.ts';

/** The state that a journal recovered when it was opened. */
export interface Recovered {
  readonly revision: number;
  readonly entries: readonly Entry[];
}

/** Callbacks about changes that are not written in the usual way. */
export interface JournalListener {
  /**
   * All changes whose `written` was not called yet are dropped and never will be written. Later appends try
   * again.
   */
  discarded(failure: CodedError): void;
  /** A write has succeeded for the first time since a failure. */
  resumed(): void;
}

/** A write-ahead log: changes are written here before clients see them. */
export interface Journal {
  readonly recovered: Recovered;
  /**
   * Calls `written`, which must not throw, when the change is durable. Calls come in the order of the
   * appends.
   */
  append(change: StoreChange, written: () => void): void;
  listen(listener: JournalListener): void;
  /** The current failure, or undefined. After a failure it tries a write to find out whether it persists. */
  check(): Promise<CodedError | undefined>;
  /** Waits for pending appends. Rejects when the last ones could not be written. */
  close(): Promise<void>;
}

/** Keeps nothing: the state ends with the process. */
export const memoryJournal: Journal = {
  recovered: { revision: 0, entries: [] },
  append: (_change, written) => written(),
  listen: () => {},
  check: async () => undefined,
  close: async () => {},
};
