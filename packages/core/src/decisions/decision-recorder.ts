import type { CapturedCluster } from '../saved-cluster/index.ts';
import type { Decision } from './decision.ts';
import type { ReplayRecord } from './replay-record.ts';

type DraftOf<D> = D extends Decision ? Omit<D, 'id' | 'at' | 'isReplayable' | 'repeats' | 'lastAt'> : never;

/** A decision before the log gives it an id and a time. */
export type DecisionDraft = DraftOf<Decision>;

/** What makes a decision again: the cluster that it was made from, and the rest of its inputs. */
export interface ReplayMaterial {
  readonly captured: CapturedCluster;
  readonly record: ReplayRecord;
}

/** What controllers see of the log of decisions. Nothing here throws: a decision must not fail for its record. */
export interface DecisionRecorder {
  /** Without it nobody keeps decisions, and callers need not describe any. */
  readonly isOn: boolean;
  /** Without it nobody keeps clusters, and callers need not capture any. */
  readonly keepsClusters: boolean;
  /** Returns the id. */
  record(draft: DecisionDraft, material?: ReplayMaterial): string;
  /** Counts a repeat on a decision; false if the log no longer has it. */
  repeat(id: string): boolean;
}

/** Where the log keeps the clusters of decisions. */
export interface DecisionClusters {
  readonly isOn: boolean;
  /** Returns at once, and may drop older ones. */
  keep(decision: Decision, material: ReplayMaterial): void;
  has(id: string): boolean;
  /** The file of `savedDecisionPieces`, compressed with gzip; undefined if it is not kept. */
  read(id: string): Promise<Uint8Array | undefined>;
}
