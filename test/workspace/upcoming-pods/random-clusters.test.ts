import {
  isUpcomingUid,
  type Plan,
  type PlannedNode,
  type PlanOptions,
  plan,
  type Snapshot,
} from '@karpenter/core/scheduling';
import { plannedWithUpcoming } from '@karpenter/core/upcoming-pods';
import { checkPlan } from '@karpenter/testkit/plan-checker';
import { randomCluster, withUpcomingPods } from '@karpenter/testkit/random-clusters';
import { batches, seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';

const seedsInOneTest = 50;
const topologyRules: ReadonlySet<string> = new Set(['topology-spread', 'pod-affinity', 'pod-anti-affinity']);

const withoutPlace = ({ rejections, deferred }: Plan): number => rejections.length + deferred.length;

/** The cluster and the plan with the pods that `isKept` holds for, and without those that are on no node. */
function restricted(snapshot: Snapshot, made: Plan, isKept: (uid: string) => boolean): [Snapshot, Plan] {
  const newNodes = made.newNodes.map((node) => ({ ...node, pods: node.pods.filter(isKept) }));
  const planned = new Set(newNodes.flatMap(({ pods }) => pods));
  const pods = snapshot.pods.filter(({ metadata: { uid } }) => !isUpcomingUid(uid) || planned.has(uid));
  return [
    { ...snapshot, pods },
    { ...made, newNodes },
  ];
}

/**
 * What is wrong for pods that exist. Topology counts these alone, because upcoming pods are placed after them
 * and those on dropped nodes are missing; everything else counts what is on a node.
 */
function violationsOf(snapshot: Snapshot, made: Plan, options: PlanOptions): readonly string[] {
  const isReal = (uid: string) => !isUpcomingUid(uid);
  const [whole, wholePlan] = restricted(snapshot, made, () => true);
  const [real, realPlan] = restricted(snapshot, made, isReal);
  return [
    ...checkPlan(whole, wholePlan, options).filter(({ rule }) => !topologyRules.has(rule)),
    ...checkPlan(real, realPlan, options).filter(({ rule }) => topologyRules.has(rule)),
  ]
    .filter(({ pod }) => pod === undefined || isReal(pod))
    .map(({ rule, detail }) => `${rule}: ${detail}`);
}

function problemsOf(seed: number): readonly string[] {
  const { snapshot, options } = withUpcomingPods(randomCluster(seed), seed);
  const made = plannedWithUpcoming(snapshot, options);
  const real = snapshot.pods.filter(({ metadata }) => !isUpcomingUid(metadata.uid));
  const alone = plan({ ...snapshot, pods: real }, options);
  const isForNobody = ({ pods }: PlannedNode) => pods.every(isUpcomingUid);
  return [
    ...violationsOf(snapshot, made, options),
    ...(withoutPlace(made) > withoutPlace(alone) ? ['more pods are without a place'] : []),
    ...(made.newNodes.some(isForNobody) ? ['a node is for upcoming pods alone'] : []),
  ];
}

describe('plans with upcoming pods', () => {
  it.each(batches(seeds({ quick: 50, full: 500 }), seedsInOneTest))(
    'cost no pod its place and violate no rule in random clusters $first to $last',
    (batch) => {
      const found = batch.seeds.map((seed) => [seed, problemsOf(seed)] as const);
      expect(Object.fromEntries(found.filter(([, problems]) => problems.length > 0))).toEqual({});
    },
  );
});
