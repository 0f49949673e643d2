import type { Plan } from '@karpenter/core/scheduling';
import { type CheckedCluster, hasVirtualPods, isVirtual } from './cluster.ts';
import { Domains } from './domains.ts';
import { readPlan } from './plan-facts.ts';
import { checkPodAffinity } from './pod-affinity.ts';
import { PlaceSearch } from './rejections.ts';
import { SpreadConstraints } from './spread-constraint.ts';
import { TopologyState } from './topology-state.ts';
import type { Violation } from './violation.ts';

/** The plan for real pods only, without nodes that hold only virtual pods. */
function withoutVirtual(cluster: CheckedCluster, plan: Plan): Plan {
  const real = (uids: readonly string[]) => uids.filter((uid) => !isVirtual(cluster, uid));
  return {
    ...plan,
    placements: plan.placements.map(({ node, pods }) => ({ node, pods: real(pods) })),
    newNodes: plan.newNodes
      .map((node) => ({ ...node, pods: real(node.pods) }))
      .filter(({ pods }) => pods.length > 0),
    rejections: plan.rejections.filter(({ pod }) => !isVirtual(cluster, pod)),
  };
}

/**
 * Virtual pods cost no real pod its place, and no real pod follows a virtual one by affinity, because the
 * virtual pod will never run there.
 */
export function checkDisplacement(cluster: CheckedCluster, plan: Plan): Violation[] {
  if (!hasVirtualPods(cluster)) return [];
  const facts = readPlan(cluster, withoutVirtual(cluster, plan));
  const domains = new Domains(cluster);
  const topology = new TopologyState(facts, new SpreadConstraints(cluster, domains), domains);
  const search = new PlaceSearch(facts, topology, domains);
  const displaced = facts.plan.rejections.flatMap(({ pod: uid, reasons }): Violation[] => {
    const pod = cluster.pods.get(uid);
    if (pod === undefined || reasons.some(({ failed }) => failed.includes('volume'))) return [];
    const place = search.find(cluster.classOf(pod));
    if (place === undefined) return [];
    const detail = `pod ${uid} is rejected and could go to ${place} if no room were kept there`;
    return [{ rule: 'displaced-pod', pod: uid, detail }];
  });
  return [...displaced, ...checkPodAffinity(facts, domains)];
}
