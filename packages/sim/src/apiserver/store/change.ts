import type { Entry } from './entry.ts';

/** One change of one object. */
export interface StoreChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** The object after the change; for a deletion its last state, at the revision of the deletion. */
  readonly entry: Entry;
  /** The object before the change; undefined for an added one. */
  readonly previous: Entry | undefined;
}
