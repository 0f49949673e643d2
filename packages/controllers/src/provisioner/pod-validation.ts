import { type PendingPod, PodValidator } from '@karpenter/core/pending-pods';
import type { RequirementPolicy } from '@karpenter/core/requirements';
import { mapInSlices, type SliceClock } from '@karpenter/kube/yielding';

/**
 * Validates pending pods and yields to the event loop between them. The verdict is cached by pod spec, so
 * that building the input of a plan, which does not yield, is cheap even for thousands of new pods.
 */
export async function validatePodsAhead(
  pods: readonly PendingPod[],
  policy: RequirementPolicy,
  clock: SliceClock,
): Promise<void> {
  const validator = new PodValidator({ policy });
  await mapInSlices(pods, (pod) => validator.validate(pod), clock);
}
