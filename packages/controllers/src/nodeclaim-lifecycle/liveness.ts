import type { NodeClaim } from '@karpenter/core/api';
import { livenessOf } from '@karpenter/core/lifecycle';
import { durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { ControllerContext } from '../context/index.ts';
import { disruptClaim } from '../instances/index.ts';
import type { Step, StepOutcome } from './step.ts';

export interface LivenessContext extends Pick<ControllerContext, 'client' | 'meters' | 'log' | 'clock'> {
  /** Called for every claim that timed out, before it is deleted. */
  readonly onTimeout: (claim: NodeClaim) => void | Promise<void>;
}

/**
 * Deletes NodeClaims that do not launch within 5 minutes or do not register within 15, so that their pods are planned
 * again. As in Karpenter, a registered node that never initializes does not time out.
 */
export class Liveness implements Step {
  readonly #context: LivenessContext;

  constructor(context: LivenessContext) {
    this.#context = context;
  }

  async advance(claim: NodeClaim): Promise<StepOutcome> {
    const { clock, log, onTimeout } = this.#context;
    const liveness = livenessOf(claim, clock.now());
    if (liveness.verdict === 'settled') return { claim };
    if (liveness.verdict === 'waiting') return { claim, requeueAfter: liveness.for };
    const { reason, timeout } = liveness;
    // The claim is deleted even if the condition of the NodePool cannot be written.
    // If the deletion fails, the next reconcile records the timeout again, and the record counts a claim
    // once.
    const [recorded] = await Promise.allSettled([onTimeout(claim)]);
    if (await disruptClaim(this.#context, claim, { reason }))
      log.debug('terminating due to timeout', { timeout: formatDuration(durationMsToNs(timeout)), reason });
    return { claim, isGivenUp: true, ...(recorded.status === 'rejected' && { error: recorded.reason }) };
  }
}
