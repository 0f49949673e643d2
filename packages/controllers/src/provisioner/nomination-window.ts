import { type CoreSettings, provisioningTuning } from '@karpenter/core/api';
import { type DurationMs, durationMs } from '@karpenter/core/values';

const { minNominationWindow, nominationWindowPerBatch } = provisioningTuning;

/** How long nodes are kept for pods that were promised them: the pods may have to wait for another batch. */
export function nominationWindow({ batchMaxDuration }: Pick<CoreSettings, 'batchMaxDuration'>): DurationMs {
  return durationMs(Math.max(minNominationWindow, nominationWindowPerBatch * batchMaxDuration));
}
