import { type CoreSettings, provisioningTuning } from '@karpenter/core/api';
import { type DurationMs, durationMs } from '@karpenter/core/values';

const { minNominationWindow, nominationWindowPerBatch } = provisioningTuning;

/**
 * How long a nominated node is protected from disruption: twice the longest batch, at least ten seconds,
 * because the pods may have to wait for another batch. Each pass that still expects them renews the
 * nomination.
 */
export function nominationWindow({ batchMaxDuration }: Pick<CoreSettings, 'batchMaxDuration'>): DurationMs {
  return durationMs(Math.max(minNominationWindow, nominationWindowPerBatch * batchMaxDuration));
}
