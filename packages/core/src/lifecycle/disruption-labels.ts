import { labelKeys, type NodeClaim, terminationModes } from '../api/index.ts';
import { readDuration } from '../values/duration.ts';

/** Values of the labels of `karpenter_nodeclaims_disrupted_total` for a claim that is deleted by force. */
export function disruptionLabels({ metadata, spec }: NodeClaim, reason: string) {
  const { labels = {} } = metadata;
  return {
    reason,
    nodepool: labels[labelKeys.nodePool] ?? '',
    capacity_type: labels[labelKeys.capacityType] ?? '',
    consolidation_policy: '',
    termination_mode: terminationMode(spec.terminationGracePeriod),
  };
}

export function terminationMode(gracePeriod: string | undefined): string {
  if (gracePeriod === undefined) return terminationModes.graceful;
  return (readDuration(gracePeriod) ?? 0n) <= 0n ? terminationModes.forceful : terminationModes.eventual;
}
