import { formatTaint } from '@karpenter/core/values';
import { addTo, amountText, shortage } from './amounts.ts';
import { type CheckedCluster, suitsLabels } from './cluster.ts';
import type { ExistingLocation, PlacedPod } from './location.ts';
import { blockingTaints, portsConflict } from './pod-class.ts';
import type { Violation } from './violation.ts';

export function firstUid({ uids }: PlacedPod): string {
  return uids[0] ?? '';
}

/**
 * Pods with conflicting host ports on one node: two of a class, two classes, or a class and a running pod.
 */
export function checkPorts(
  node: string,
  placed: readonly PlacedPod[],
  others: readonly PlacedPod[],
): Violation[] {
  const violations: Violation[] = [];
  for (const [i, mine] of placed.entries()) {
    if (mine.pod.ports.length === 0) continue;
    const rivals = [...placed.slice(i + 1), ...others];
    const isCrowded = mine.uids.length > 1 || rivals.some(({ pod }) => portsConflict(mine.pod, pod));
    if (!isCrowded) continue;
    const detail = `pod ${firstUid(mine)} wants a host port of node ${node} that another pod there has`;
    violations.push({ rule: 'host-ports', pod: firstUid(mine), node, detail });
  }
  return violations;
}

function checkOccupant(
  occupant: PlacedPod,
  { name, node }: ExistingLocation,
  cluster: CheckedCluster,
): Violation[] {
  const violations: Violation[] = [];
  const pod = firstUid(occupant);
  const [taint] = blockingTaints(node.taints, occupant.pod, cluster.mayIgnoreSoftTaints);
  if (taint !== undefined) {
    const detail = `pod ${pod} does not tolerate taint ${formatTaint(taint)} of node ${name}`;
    violations.push({ rule: 'taints', pod, node: name, detail });
  }
  if (!suitsLabels(occupant.pod, node.labels)) {
    const detail = `the labels of node ${name} satisfy none of the node requirements of pod ${pod}`;
    violations.push({ rule: 'requirements', pod, node: name, detail });
  }
  return violations;
}

function checkRoom({ name, placed, node }: ExistingLocation): Violation[] {
  const wanted = new Map<string, bigint>();
  for (const { pod, uids } of placed) addTo(wanted, pod.requests, uids.length);
  const missing = shortage(wanted, node.room);
  if (missing === undefined) return [];
  const asked = amountText(wanted.get(missing) ?? 0n);
  const left = amountText(node.room.get(missing) ?? 0n);
  const detail = `the pods put on node ${name} ask for ${asked} of ${missing}, of which ${left} is left`;
  return [{ rule: 'resources', node: name, detail }];
}

export function checkExistingNode(location: ExistingLocation, cluster: CheckedCluster): Violation[] {
  const { name, placed, bound, node } = location;
  if (placed.length === 0) return [];
  const violations = [
    ...placed.flatMap((occupant) => checkOccupant(occupant, location, cluster)),
    ...checkRoom(location),
    ...checkPorts(name, placed, bound),
  ];
  if (!node.view.deleting) return violations;
  const detail = `node ${name} is going away and takes no pods`;
  return [{ rule: 'deleting-node', node: name, detail }, ...violations];
}
