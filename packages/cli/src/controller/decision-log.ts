import { randomBytes } from 'node:crypto';
import { awsEvents } from '@karpenter/aws';
import { MemoryClusters } from '@karpenter/controllers';
import { type CoreSettings, events } from '@karpenter/core/api';
import { type DecisionClusters, DecisionLog } from '@karpenter/core/decisions';
import type { Clock } from '@karpenter/kube/runtime';

export interface DecisionLogParts {
  readonly settings: Pick<CoreSettings, 'decisionLogSize' | 'decisionLogClusters'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Where the clusters of decisions are kept; defaults to memory. */
  readonly clusters?: DecisionClusters;
}

/** The log of decisions of a process, as its settings say. */
export function decisionLog({ settings, clock, clusters }: DecisionLogParts): DecisionLog {
  return new DecisionLog({
    size: settings.decisionLogSize,
    clusters: clusters ?? new MemoryClusters(settings.decisionLogClusters),
    now: () => clock.now(),
    processName: randomBytes(3).toString('hex'),
  });
}

/** The events that are decisions of their own; plans, launches and commands record theirs. */
export const decisionEvents = {
  refusals: [
    events.disruptionBlocked,
    events.nodePoolDisruptionBlocked,
    events.unconsolidatable,
    events.consolidationRejected,
    events.noCompatibleInstanceTypes,
    events.nodeRepairBlocked,
  ],
  notices: [
    awsEvents.spotInterrupted,
    awsEvents.spotRebalanceRecommendation,
    awsEvents.capacityReservationInterrupted,
    awsEvents.instanceStopping,
    awsEvents.instanceTerminating,
    awsEvents.instanceUnhealthy,
    awsEvents.zonalShiftActive,
    awsEvents.zonalShiftCleared,
  ],
};
