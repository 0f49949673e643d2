import { labelKeys, type NodeClaim, terminationModes } from '../api/index.ts';
import { readDuration } from '../values/index.ts';

/** Label values of `karpenter_nodeclaims_disrupted_total` for a claim that is deleted forcefully. */
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

/**
 * Without a terminationGracePeriod a drain may take any time (graceful), with one it ends (eventual), with zero it ends
 * at once (forceful).
 */
function terminationMode(gracePeriod: string | undefined): string {
  if (gracePeriod === undefined) return terminationModes.graceful;
  return (readDuration(gracePeriod) ?? 0n) <= 0n ? terminationModes.forceful : terminationModes.eventual;
}
