import type { ObservedCluster, ObservedGroup, ObservedNode } from './observed-cluster.ts';
import type { GroupRecord, MigrationProgress } from './progress.ts';

/** The nodes of a group, divided into those that stay and those that are drained. */
export interface GroupNodes {
  readonly group: ObservedGroup;
  readonly kept: readonly ObservedNode[];
  /** In the order of the drain: by zone, in each zone the oldest first. */
  readonly moving: readonly ObservedNode[];
  /** Instances without a node: they never joined, or their node was deleted. */
  readonly strayInstances: readonly string[];
}

const gone: ObservedGroup = {
  sizes: { min: 0, max: 0, desired: 0 },
  isRebalanceSuspended: true,
  instanceIds: [],
};

export function groupNodes(record: GroupRecord, observed: ObservedCluster): GroupNodes {
  const group = observed.groups.get(record.autoScalingGroup) ?? gone;
  const members = observed.nodes.filter(({ instanceId }) => group.instanceIds.includes(instanceId));
  const kept = keptNodes(members, record, observed);
  const joined = new Set(members.map(({ instanceId }) => instanceId));
  return {
    group,
    kept,
    moving: members.filter((node) => !kept.includes(node)).sort(byZoneAndAge),
    strayInstances: group.instanceIds.filter((id) => !joined.has(id)),
  };
}

/**
 * Keeps nodes that run the controller first, because it must not run on nodes that it manages; then nodes whose drain
 * has not begun, newest first.
 */
function keptNodes(
  members: readonly ObservedNode[],
  { keep, drains }: GroupRecord,
  { pods }: ObservedCluster,
): readonly ObservedNode[] {
  const hosts = new Set(pods.filter(({ isKarpenter }) => isKarpenter).map(({ nodeName }) => nodeName));
  const rank = ({ name }: ObservedNode) => {
    if (hosts.has(name)) return 0;
    return drains[name] === undefined ? 1 : 2;
  };
  const ranked = [...members].sort((a, b) => rank(a) - rank(b) || b.createdAt - a.createdAt || byName(a, b));
  return ranked.slice(0, keep);
}

function byZoneAndAge(a: ObservedNode, b: ObservedNode): number {
  if (a.zone !== b.zone) return a.zone < b.zone ? -1 : 1;
  return a.createdAt - b.createdAt || byName(a, b);
}

function byName(a: ObservedNode, b: ObservedNode): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/** Names of all nodes that a run will drain, of groups that are not done. */
export function movingNodes({ groups }: MigrationProgress, observed: ObservedCluster): readonly string[] {
  const open = groups.filter(({ phase }) => phase !== 'done');
  return open.flatMap((record) => groupNodes(record, observed).moving.map(({ name }) => name));
}
