import type { Plan } from '@karpenter/core/scheduling';
import type { CheckedCluster } from './cluster.ts';
import type { Violation } from './violation.ts';

interface Mention {
  readonly uid: string;
  readonly where: string;
}

function mentions(plan: Plan): Mention[] {
  return [
    ...plan.placements.flatMap(({ node, pods }) => pods.map((uid) => ({ uid, where: `on node ${node}` }))),
    ...plan.newNodes.flatMap(({ pods }, i) => pods.map((uid) => ({ uid, where: `on node new-${i}` }))),
    ...plan.rejections.map(({ pod }) => ({ uid: pod, where: 'among the rejections' })),
    ...plan.deferred.map((uid) => ({ uid, where: 'among the deferred' })),
    ...plan.unevaluated.map((uid) => ({ uid, where: 'among the unevaluated' })),
  ];
}

function podMentions(cluster: CheckedCluster, plan: Plan): Violation[] {
  const first = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { uid, where } of mentions(plan)) {
    const earlier = first.get(uid);
    if (earlier !== undefined) {
      const detail = `pod ${uid} is ${earlier} and again ${where}`;
      violations.push({ rule: 'repeated-pod', pod: uid, detail });
    } else if (!cluster.pods.has(uid)) {
      const detail = `pod ${uid}, ${where}, is not in the snapshot`;
      violations.push({ rule: 'unknown-pod', pod: uid, detail });
    }
    first.set(uid, earlier ?? where);
  }
  for (const uid of cluster.pods.keys()) {
    if (first.has(uid)) continue;
    violations.push({ rule: 'lost-pod', pod: uid, detail: `pod ${uid} is nowhere in the plan` });
  }
  return violations;
}

function nodeMentions(cluster: CheckedCluster, plan: Plan): Violation[] {
  return plan.placements
    .filter(({ node }) => !cluster.nodes.has(node))
    .map(({ node }) => ({
      rule: 'unknown-node',
      node,
      detail: `the plan puts pods on node ${node}, which is not in the snapshot`,
    }));
}

function poolMentions(cluster: CheckedCluster, plan: Plan): Violation[] {
  return plan.newNodes.flatMap(({ nodePool, instanceTypes }, index): Violation[] => {
    const node = `new-${index}`;
    const pool = cluster.pools.get(nodePool);
    if (pool === undefined) {
      return [{ rule: 'unknown-pool', node, detail: `nodepool ${nodePool} of node ${node} does not exist` }];
    }
    const unknown = instanceTypes.filter((name) => !pool.types.has(name));
    return unknown.map((name) => ({
      rule: 'unknown-instance-type',
      node,
      detail: `nodepool ${nodePool} has no instance type ${name}, which node ${node} lists`,
    }));
  });
}

/** Every pod appears exactly once, and the plan names nothing that the snapshot does not have. */
export function checkAccounting(cluster: CheckedCluster, plan: Plan): Violation[] {
  const violations = [
    ...podMentions(cluster, plan),
    ...nodeMentions(cluster, plan),
    ...poolMentions(cluster, plan),
  ];
  if (plan.revision === cluster.snapshot.revision) return violations;
  const detail = `the plan is of revision ${plan.revision}, the snapshot of ${cluster.snapshot.revision}`;
  return [...violations, { rule: 'revision', detail }];
}
