import type { Entry } from './entry.ts';

/** One step of the cluster's history. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** As it is after the change; of a deleted object its last state, at the revision of the deletion. */
  readonly entry: Entry;
  /** As it was before; absent for an added one. */
  readonly previous: Entry | undefined;
}
