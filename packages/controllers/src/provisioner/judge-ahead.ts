import { setImmediate } from 'node:timers/promises';
import { type PendingPod, PodJudge } from '@karpenter/core/pending-pods';
import type { RequirementPolicy } from '@karpenter/core/requirements';

const podsPerTurn = 500;

/**
 * Looks at what pods ask for, a few at a time. It is remembered by spec, so that the input of a plan is then made of
 * thousands of new pods without holding up others.
 */
export async function judgeAhead(pods: readonly PendingPod[], policy: RequirementPolicy): Promise<void> {
  const judge = new PodJudge({ policy });
  for (const [index, pod] of pods.entries()) {
    judge.validate(pod);
    if ((index + 1) % podsPerTurn === 0) await setImmediate();
  }
}
