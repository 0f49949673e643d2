import type { Decision } from '@karpenter/core/decisions';

/** Where the page gets decisions from: the log of this process, that of a controller elsewhere, or events. */
export interface DecisionSource {
  /** The oldest first; bounded. */
  list(): readonly Decision[];
  /** Calls back with each new decision, and again with one that changed. Returns a function that unsubscribes. */
  subscribe(listener: (decision: Decision) => void): () => void;
  /** Why there are none, for people; undefined if there are, or if there may be any time. */
  unavailable?(): string | undefined;
  /** The command that makes a decision again; undefined if its cluster is not kept. */
  replayCommand?(decision: Decision): string | undefined;
}
