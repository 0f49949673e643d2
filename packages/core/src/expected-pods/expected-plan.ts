import {
  isExpectedPod,
  isExpectedUid,
  type Plan,
  type PlanOptions,
  planSteps,
  type Snapshot,
} from '../scheduling/index.ts';
import type { Steps } from '../yielding/index.ts';

/** As `planWithExpectedSteps`, in one step. */
export function plannedWithExpected(snapshot: Snapshot, options: PlanOptions): Plan {
  const steps = planWithExpectedSteps(snapshot, options);
  for (;;) {
    const { done, value } = steps.next(undefined);
    if (done) return value;
  }
}

/**
 * Plans with the expected pods of the snapshot, which only fill and size the nodes of other pods: they never
 * cause a node, and cost no other pod its place. The plan names them on new nodes and nowhere else. Without
 * expected pods it is `planSteps`.
 */
export function* planWithExpectedSteps(snapshot: Snapshot, options: PlanOptions): Steps<Plan> {
  const others = snapshot.pods.filter((pod) => !isExpectedPod(pod));
  if (others.length === snapshot.pods.length) return yield* planSteps(snapshot, options);
  const withExpected = withoutExpected(yield* planSteps(snapshot, options));
  if (withExpected.unevaluated.length > 0 || !isShort(withExpected)) return withExpected;
  const alone = yield* planSteps({ ...snapshot, pods: others }, options);
  return withoutPlace(alone) < withoutPlace(withExpected) ? alone : withExpected;
}

/**
 * Whether pods have no place for want of limits or reservations, which larger nodes use up. Nothing else that
 * rejects a pod depends on expected pods, because they are placed after all others.
 */
function isShort({ rejections, deferred }: Plan): boolean {
  return (
    deferred.length > 0 ||
    rejections.some(({ reasons }) =>
      reasons.some(({ failed }) => failed.includes('limits') || failed.includes('reservations')),
    )
  );
}

function withoutPlace({ rejections, deferred, unevaluated }: Plan): number {
  return rejections.length + deferred.length + unevaluated.length;
}

function withoutExpected(plan: Plan): Plan {
  const others = (uids: readonly string[]) => uids.filter((uid) => !isExpectedUid(uid));
  return {
    ...plan,
    placements: plan.placements
      .map(({ node, pods }) => ({ node, pods: others(pods) }))
      .filter(({ pods }) => pods.length > 0),
    newNodes: plan.newNodes.filter(({ pods }) => pods.some((uid) => !isExpectedUid(uid))),
    rejections: plan.rejections.filter(({ pod }) => !isExpectedUid(pod)),
    deferred: others(plan.deferred),
    unevaluated: others(plan.unevaluated),
  };
}
