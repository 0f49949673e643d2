import type { NodeClaim } from '@karpenter/core/api';
import type { ReconcileResult } from '@karpenter/kube/runtime';
import type { CachedNode } from '../instances/index.ts';

/** A deleted Node and what its termination depends on. */
export interface TerminatingNode {
  readonly node: CachedNode;
  /** Undefined when no NodeClaim, or more than one, has the provider ID of the Node. */
  readonly claim: NodeClaim | undefined;
  /**
   * When the remaining pods are deleted regardless of PDBs and do-not-disrupt, in milliseconds since 1970.
   */
  readonly deadline: number | undefined;
}

/**
 * Either the step is done, with the claim as it is stored now, or the Node must wait and be reconciled again.
 */
export type StepResult = { readonly claim: NodeClaim | undefined } | { readonly wait: ReconcileResult };

/**
 * A step of node termination. A step that is done is run again by every reconcile, and must return at once
 * then.
 */
export interface TerminationStep {
  run(terminating: TerminatingNode): Promise<StepResult>;
}
