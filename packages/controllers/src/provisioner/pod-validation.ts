import { setImmediate } from 'node:timers/promises';
import { type PendingPod, PodValidator } from '@karpenter/core/pending-pods';
import type { RequirementPolicy } from '@karpenter/core/requirements';

const podsPerYield = 500;

/**
 * Validates pending pods and yields to the event loop between them. The verdict is cached by pod spec, so
 * that building the input of a plan, which does not yield, is cheap even for thousands of new pods.
 */
export async function validatePodsAhead(
  pods: readonly PendingPod[],
  policy: RequirementPolicy,
): Promise<void> {
  const validator = new PodValidator({ policy });
  for (const [index, pod] of pods.entries()) {
    validator.validate(pod);
    if ((index + 1) % podsPerYield === 0) await setImmediate();
  }
}
