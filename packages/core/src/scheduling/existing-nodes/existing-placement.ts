import { LabelKeySet, Requirements } from '../../requirements/index.ts';
import { hostPortsClash, untolerated } from '../../values/index.ts';
import { addTo, fitsInto, howManyFit } from '../context/resource-axes.ts';
import { type ClassPlacement, type PlacementStep, recordPlacement } from '../placement/class-placement.ts';
import { meetsVariant } from '../pods/pod-variant.ts';
import { chooseDomains } from '../topology/domain-choice.ts';
import { filterAccepts } from '../topology/node-filter.ts';
import { attachVolumes, volumesFit } from '../volumes/volume-limits.ts';
import type { ExistingNode } from './existing-node.ts';
import type { NodeBlocks } from './node-blocks.ts';

/**
 * Places pods of a class on existing nodes in their order, and returns how many: one pod where each placement
 * changes the choice of the next, otherwise as many as fit.
 */
export function placeOnExisting(placement: ClassPlacement, step: PlacementStep, blocks: NodeBlocks): number {
  let placed = 0;
  for (const nodes of blocks.mayHold(placement.size)) {
    for (const node of nodes) {
      if (placement.waiting.length === 0) return placed;
      const fitting = placeableOn(placement, step, node);
      if (fitting < 1) continue;
      put(placement, node, fitting);
      placed += fitting;
      if (!placement.isFree) return placed;
    }
  }
  return placed;
}

/** How many pods to place on the node; none if it is not suitable. */
function placeableOn(placement: ClassPlacement, step: PlacementStep, node: ExistingNode): number {
  if (node.refusesMoved && placement.podClass.isMoved) return 0;
  // Resources are compared first: most nodes of a cluster are full, and comparing labels takes longer.
  const fitting = Math.min(
    placement.waiting.length,
    mostOn(placement, node),
    placement.isFree ? Number.POSITIVE_INFINITY : 1,
  );
  const isAllowed =
    fitting >= 1 &&
    isSuitable(step, node) &&
    volumesAllow(placement, node) &&
    topologyAllows(placement, step, node) &&
    devicesAllow(placement, node);
  return isAllowed ? fitting : 0;
}

/** Whether the node's taints and labels allow the pod; cached, because both are fixed during a plan. */
function isSuitable({ suitable, variant }: PlacementStep, node: ExistingNode): boolean {
  const known = suitable.get(node);
  if (known !== undefined) return known;
  // Strict, as in Karpenter: what an existing node lacks, even a well-known label, no instance type will add.
  const found =
    untolerated(node.taints, variant.tolerations).length === 0 &&
    meetsVariant(node.requirements, variant, LabelKeySet.empty);
  suitable.set(node, found);
  return found;
}

function mostOn({ size, podClass }: ClassPlacement, node: ExistingNode): number {
  if (!fitsInto(size, node.room)) return 0;
  // Pods of one class use the same ports, so a node takes only one of them.
  if (podClass.hostPorts.length > 0) return hostPortsClash(podClass.hostPorts, node.ports) ? 0 : 1;
  return howManyFit(size, node.room);
}

function volumesAllow({ volumePlaces, volumes }: ClassPlacement, node: ExistingNode): boolean {
  return (
    volumesFit(node.volumeLimits, node.volumes, volumes) &&
    volumePlaces.some((place) => node.requirements.compatible(place, LabelKeySet.empty))
  );
}

function topologyAllows(
  { podClass }: ClassPlacement,
  { groups, variant }: PlacementStep,
  node: ExistingNode,
): boolean {
  for (const group of groups) {
    const pick = chooseDomains(group, { podClass, variant, node: node.requirements });
    if (pick === undefined) return false;
    if (!node.requirements.compatible(Requirements.of([pick]), LabelKeySet.empty)) return false;
  }
  return true;
}

/** Allocates devices for the claims of the next pod, if the node has them. The last check, because it takes longest. */
function devicesAllow({ devices }: ClassPlacement, node: ExistingNode): boolean {
  if (devices === undefined) return true;
  const grant = devices.onNode(node);
  if (grant !== undefined) devices.give(grant);
  return grant !== undefined;
}

function put(placement: ClassPlacement, node: ExistingNode, pods: number): void {
  addTo(node.room, placement.size, -pods);
  // Once for all of them: only pods with the same PersistentVolumeClaims are in one class.
  attachVolumes(node.volumes, placement.volumes);
  node.ports.push(...placement.podClass.hostPorts);
  for (let i = 0; i < pods; i++) {
    const uid = placement.waiting.pop();
    if (uid !== undefined) node.placed.push(uid);
  }
  recordPlacement(placement, { domains: node.requirements, pods }, ({ filter }) =>
    filterAccepts(filter, node),
  );
}
