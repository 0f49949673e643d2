import type { CodedError } from '@karpenter/core/errors';
import type { Change } from './change.ts';
import type { Entry } from './entry.ts';

/** What a journal found when it was opened. */
export interface Recovered {
  readonly revision: number;
  readonly entries: readonly Entry[];
}

/** What happens to changes after they were appended, apart from being written. */
export interface JournalListener {
  /** No change whose `written` was not called yet ever will be; what is appended from now on is tried anew. */
  discarded(failure: CodedError): void;
  /** The first write since a failure has succeeded. */
  resumed(): void;
}

/** Where changes are written down before clients hear of them. */
export interface Journal {
  readonly recovered: Recovered;
  /** Calls `written`, which must not throw, once the change would outlive the process, in the order of the calls. */
  append(change: Change, written: () => void): void;
  listen(listener: JournalListener): void;
  /** Why changes cannot be written, found out anew when they could not before; undefined when they can. */
  check(): Promise<CodedError | undefined>;
  /** Waits for what was appended. Rejects when the last of it could not be written. */
  close(): Promise<void>;
}

/** Nothing outlives the process. */
export const memoryJournal: Journal = {
  recovered: { revision: 0, entries: [] },
  append: (_change, written) => written(),
  listen: () => {},
  check: async () => undefined,
  close: async () => {},
};
