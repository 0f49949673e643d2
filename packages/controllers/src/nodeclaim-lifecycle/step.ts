import type { NodeClaim } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';

/** Where a step has brought a claim. Nothing of it is stored yet. */
export interface StepOutcome {
  readonly claim: NodeClaim;
  readonly requeueAfter?: DurationMs;
  /** What failed; the steps after it are taken all the same. */
  readonly error?: unknown;
  /** The claim has been deleted: nothing more is to be done with it. */
  readonly isGivenUp?: boolean;
  /** To be done once the claim is stored as the step left it, so that it is told once. */
  readonly announce?: () => void | Promise<void>;
}

/** A part of the way of a claim. It looks at where the claim is and does nothing where it is not its turn. */
export interface Step {
  advance(claim: NodeClaim): Promise<StepOutcome>;
}
