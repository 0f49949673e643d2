import type { NodeClaim } from '@karpenter/core/api';
import type { ReconcileResult } from '@karpenter/kube/runtime';
import type { CachedNode } from '../machines/index.ts';

/** A Node on its way out, as far as it is. */
export interface Departing {
  readonly node: CachedNode;
  /** Absent where no claim, or more than one, has its machine. */
  readonly claim: NodeClaim | undefined;
  /** When its last pods go, come what may, in milliseconds since 1970. */
  readonly deadline: number | undefined;
}

/** Either the way is free, with the claim as it is now, or something has to be waited for. */
export type Passage = { readonly claim: NodeClaim | undefined } | { readonly wait: ReconcileResult };

export interface DepartureStep {
  pass(departing: Departing): Promise<Passage>;
}
