import { labelKeys } from '../../api/index.ts';
import { LabelKeySet, Requirement, Requirements, type Vocabulary } from '../../requirements/index.ts';
import { type HostPort, hostPorts, type Taint, untolerated } from '../../values/index.ts';
import { inSteps } from '../../yielding/index.ts';
import type { Daemon } from '../context/daemon-overhead.ts';
import { addTo, type ResourceAxes } from '../context/resource-axes.ts';
import type { PlanSignal } from '../plan-result.ts';
import type { BoundPodView, NodeView } from '../snapshot.ts';
import type { Storage } from '../volumes/storage.ts';
import { type VolumesByDriver, volumesByDriver } from '../volumes/volume-limits.ts';

/** A node that is there or on its way, and what still fits on it. */
export interface ExistingNode {
  readonly name: string;
  readonly hostname: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** Shrinks as pods are placed; all zero on a node that is over its means already. */
  readonly room: Float64Array;
  readonly ports: HostPort[];
  readonly volumes: VolumesByDriver;
  readonly volumeLimits: ReadonlyMap<string, number>;
  readonly initialized: boolean;
  /** Takes no pods that leave another node by choice; only simulations know of such. */
  readonly refusesMoved: boolean;
  /** Uids of the pods placed on it by this plan. */
  readonly placed: string[];
}

export function* existingNodes(
  vocabulary: Vocabulary,
  axes: ResourceAxes,
  nodes: readonly NodeView[],
  daemons: readonly Daemon[],
  boundPods: readonly BoundPodView[],
  storage: Storage,
): Generator<void, readonly ExistingNode[], PlanSignal> {
  const podsOn = podsByNode(boundPods);
  yield;
  const staying = nodes.filter(({ deleting }) => !deleting);
  const made = yield* inSteps(staying, (node) =>
    existingNode(vocabulary, axes, node, daemons, podsOn.get(node.name) ?? [], storage),
  );
  return made.sort((a, b) => Number(b.initialized) - Number(a.initialized) || (a.name < b.name ? -1 : 1));
}

/** The same node, to be filled apart from it. */
export function emptiedNode(node: ExistingNode): ExistingNode {
  return {
    ...node,
    room: node.room.slice(),
    ports: [...node.ports],
    volumes: new Map(node.volumes),
    placed: [],
  };
}

/** Takes back what a plan has put on it since `emptiedNode` made it from the other. */
export function emptyAgain(node: ExistingNode, before: ExistingNode): void {
  node.room.set(before.room);
  node.ports.splice(0, node.ports.length, ...before.ports);
  node.volumes.clear();
  for (const [driver, claims] of before.volumes) node.volumes.set(driver, claims);
  node.placed.length = 0;
}

function podsByNode(pods: readonly BoundPodView[]): Map<string, BoundPodView[]> {
  const byNode = new Map<string, BoundPodView[]>();
  for (const pod of pods) {
    const others = byNode.get(pod.nodeName) ?? [];
    others.push(pod);
    byNode.set(pod.nodeName, others);
  }
  return byNode;
}

function existingNode(
  vocabulary: Vocabulary,
  axes: ResourceAxes,
  node: NodeView,
  daemons: readonly Daemon[],
  pods: readonly BoundPodView[],
  storage: Storage,
): ExistingNode {
  const hostname = node.labels[labelKeys.hostname] ?? node.name;
  const requirements = Requirements.fromLabels(vocabulary, node.labels).with(
    Requirement.is(vocabulary.key(labelKeys.hostname), hostname),
  );
  const { name, taints, initialized } = node;
  return {
    name,
    hostname,
    requirements,
    taints,
    room: remaining(axes, node, requirements, daemons),
    ports: pods.flatMap(hostPorts),
    volumes: volumesByDriver(storage, pods),
    volumeLimits: new Map(Object.entries(node.volumeLimits ?? {})),
    initialized,
    refusesMoved: false,
    placed: [],
  };
}

/** Daemons that are yet to come to the node need their room too. What the node does not have leaves no debt. */
function remaining(
  axes: ResourceAxes,
  node: NodeView,
  requirements: Requirements,
  daemons: readonly Daemon[],
): Float64Array {
  const room = axes.vector(node.allocatable);
  axes.add(room, node.podRequests, -1);
  const missing = axes.vector(undefined);
  axes.add(missing, node.daemonRequests, -1);
  for (const daemon of daemons) {
    if (runsHere(daemon, node.taints, requirements)) addTo(missing, daemon.size);
  }
  addTo(
    room,
    missing.map((amount) => Math.max(0, amount)),
    -1,
  );
  for (const [axis, name] of axes.names.entries()) if (!(name in node.allocatable)) room[axis] = 0;
  return room.some((amount) => amount < 0) ? axes.vector(undefined) : room;
}

function runsHere(daemon: Daemon, taints: readonly Taint[], requirements: Requirements): boolean {
  return (
    untolerated(taints, daemon.pod.spec.tolerations ?? []).length === 0 &&
    daemon.alternatives.some((wanted) => requirements.compatible(wanted, LabelKeySet.empty))
  );
}
