import type { NodeClaim } from '@karpenter/core/api';
import { livenessOf } from '@karpenter/core/lifecycle';
import { durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { ControllerContext } from '../context/index.ts';
import { disruptClaim } from '../machines/index.ts';
import type { Step, StepOutcome } from './step.ts';

export interface LivenessContext extends Pick<ControllerContext, 'client' | 'meters' | 'log' | 'clock'> {
  /** CandidateMessage of every claim that is given up, before it is deleted. */
  readonly onTimeout: (claim: NodeClaim) => void | Promise<void>;
}

/** Gives up claims that take too long. */
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
    // Whoever cannot be told must not keep a machine that is of use to nobody.
    const [told] = await Promise.allSettled([onTimeout(claim)]);
    if (await disruptClaim(this.#context, claim, reason))
      log.debug('terminating due to timeout', { timeout: formatDuration(durationMsToNs(timeout)), reason });
    return { claim, isGivenUp: true, ...(told.status === 'rejected' && { error: told.reason }) };
  }
}
