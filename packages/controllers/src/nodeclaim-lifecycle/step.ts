import type { NodeClaim } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';

/** The result of a step: the claim with its changes, which the controller stores after all steps have run. */
export interface StepOutcome {
  readonly claim: NodeClaim;
  readonly requeueAfter?: DurationMs;
  /** What failed. Later steps still run; the controller throws it at the end, which retries with backoff. */
  readonly error?: unknown;
  /** The step has deleted the claim: no later step runs and nothing is stored. */
  readonly isGivenUp?: boolean;
  /**
   * Runs after the claim is stored with the changes of the step: log lines, metrics and events that must appear
   * once.
   */
  readonly afterStore?: () => void | Promise<void>;
}

/**
 * A step of the lifecycle. It reads the conditions of the claim, and returns it unchanged when it does not
 * apply.
 */
export interface Step {
  advance(claim: NodeClaim): Promise<StepOutcome>;
}
