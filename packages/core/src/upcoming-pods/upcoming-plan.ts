import {
  isUpcomingPod,
  isUpcomingUid,
  type Plan,
  type PlanOptions,
  planSteps,
  type Snapshot,
} from '../scheduling/index.ts';
import { runAtOnce, type Steps } from '../yielding/index.ts';

/** As `planWithUpcomingSteps`, in one step. */
export function plannedWithUpcoming(snapshot: Snapshot, options: PlanOptions): Plan {
  return runAtOnce(planWithUpcomingSteps(snapshot, options));
}

/**
 * Plans with the upcoming pods of the snapshot, which only fill and size the nodes of other pods: they never
 * cause a node, and cost no other pod its place. The plan names them on new nodes and nowhere else. Without
 * upcoming pods it is `planSteps`.
 */
export function* planWithUpcomingSteps(snapshot: Snapshot, options: PlanOptions): Steps<Plan> {
  const others = snapshot.pods.filter((pod) => !isUpcomingPod(pod));
  if (others.length === snapshot.pods.length) return yield* planSteps(snapshot, options);
  const withUpcoming = withoutUpcoming(yield* planSteps(snapshot, options));
  // Upcoming pods are placed after all others, but limits, reservations and repeated attempts depend on them.
  if (withUpcoming.unevaluated.length > 0 || withoutPlace(withUpcoming) === 0) return withUpcoming;
  const alone = yield* planSteps({ ...snapshot, pods: others }, options);
  return withoutPlace(alone) < withoutPlace(withUpcoming) ? alone : withUpcoming;
}

function withoutPlace({ rejections, deferred, unevaluated }: Plan): number {
  return rejections.length + deferred.length + unevaluated.length;
}

function withoutUpcoming(plan: Plan): Plan {
  const others = (uids: readonly string[]) => uids.filter((uid) => !isUpcomingUid(uid));
  return {
    ...plan,
    placements: plan.placements
      .map(({ node, pods }) => ({ node, pods: others(pods) }))
      .filter(({ pods }) => pods.length > 0),
    newNodes: plan.newNodes.filter(({ pods }) => pods.some((uid) => !isUpcomingUid(uid))),
    rejections: plan.rejections.filter(({ pod }) => !isUpcomingUid(pod)),
    deferred: others(plan.deferred),
    unevaluated: others(plan.unevaluated),
  };
}
