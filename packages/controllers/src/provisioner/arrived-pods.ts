import { PlanOutcomes } from '@karpenter/core/provisioning';
import type { Placement, PodView } from '@karpenter/core/scheduling';
import { arrivedPods } from '@karpenter/core/upcoming-pods';
import type { PassReport } from './pass-report.ts';
import type { PassContext } from './provisioning-pass.ts';

export interface ArrivedPlacements {
  /** `node` is the name of the NodeClaim, since it has no Node yet. */
  readonly placements: readonly Placement[];
  /** Its pods by uid. */
  readonly names: ReadonlyMap<string, PodView>;
}

/**
 * Assigns pods to launching NodeClaims that were sized for them before they existed, and publishes the nominations
 * (ADR 0068). The state then reserves the room and leaves the pods out of plans, as for all other pods of these
 * NodeClaims.
 */
export function assignArrivedPods({ cluster }: PassContext, report: PassReport): ArrivedPlacements {
  const snapshot = cluster.snapshot();
  const arrived = arrivedPods(snapshot);
  if (arrived.length === 0) return { placements: [], names: new Map() };
  const outcomes = new PlanOutcomes(snapshot.pendingPods, snapshot);
  for (const { nodeClaim, nodePool = '', pods, insteadOf } of arrived) {
    cluster.learn({ type: 'podsExpected', nodeClaim, pods, insteadOf });
    const { nominations, schedulingDecisions } = outcomes.created(pods, nodePool, nodeClaim);
    report.nominated(nominations);
    report.decided(schedulingDecisions);
  }
  const uids = arrived.flatMap(({ pods }) => pods);
  return {
    placements: arrived.map(({ nodeClaim, pods }) => ({ node: nodeClaim, pods })),
    names: new Map(outcomes.real(uids).map((pod) => [pod.metadata.uid, pod])),
  };
}
