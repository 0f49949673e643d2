import { labelKeys } from '../../api/index.ts';
import { LabelKeySet, Requirement, Requirements, type Vocabulary } from '../../requirements/index.ts';
import { type HostPort, hostPorts, type Taint, untolerated } from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import type { Daemon } from '../context/daemon-overhead.ts';
import { addTo, type ResourceAxes } from '../context/resource-axes.ts';
import type { BoundPodView, NodeView, Snapshot } from '../snapshot.ts';
import type { Storage } from '../volumes/storage.ts';
import { type VolumesByDriver, volumesByDriver } from '../volumes/volume-limits.ts';

/** A node that exists or is in flight, and what still fits on it. */
export interface ExistingNode {
  readonly name: string;
  readonly hostname: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** Shrinks as pods are placed; all zero if pods already request more of any resource than the node has. */
  readonly room: Float64Array;
  readonly ports: HostPort[];
  readonly volumes: VolumesByDriver;
  readonly volumeLimits: ReadonlyMap<string, number>;
  readonly initialized: boolean;
  /** Takes no pods that consolidation would move, because it is within `consolidateAfter`. Only in simulations. */
  readonly refusesMoved: boolean;
  /** Uids of the pods placed on it by this plan. */
  readonly placed: string[];
}

interface NodeInputs {
  readonly vocabulary: Vocabulary;
  readonly axes: ResourceAxes;
  readonly daemons: readonly Daemon[];
  readonly storage: Storage;
}

export function* existingNodes(
  inputs: NodeInputs,
  { nodes, boundPods }: Pick<Snapshot, 'nodes' | 'boundPods'>,
): Steps<readonly ExistingNode[]> {
  const podsOn = yield* podsByNode(boundPods);
  yield;
  const staying = nodes.filter(({ deleting }) => !deleting);
  const made = yield* inSteps(staying, (node) => existingNode(inputs, node, podsOn.get(node.name) ?? []));
  const leaving = new Set(staying.filter(({ isLeaving }) => isLeaving === true).map(({ name }) => name));
  // As in Karpenter, initialized nodes come before those in flight, then nodes go by name. Nodes that consolidation is
  // about to remove come last, because a node with nominated pods cannot be disrupted (ADR 0069).
  return made.sort(
    (a, b) =>
      Number(leaving.has(a.name)) - Number(leaving.has(b.name)) ||
      Number(b.initialized) - Number(a.initialized) ||
      (a.name < b.name ? -1 : 1),
  );
}

/** A copy that a plan can place pods on without changing the node. */
export function emptiedNode(node: ExistingNode): ExistingNode {
  return {
    ...node,
    room: node.room.slice(),
    ports: [...node.ports],
    volumes: new Map(node.volumes),
    placed: [],
  };
}

/**
 * Removes the pods that a plan placed on a copy made by `emptiedNode`, so that the copy can be used again.
 */
export function emptyAgain(node: ExistingNode, before: ExistingNode): void {
  node.room.set(before.room);
  node.ports.splice(0, node.ports.length, ...before.ports);
  node.volumes.clear();
  for (const [driver, claims] of before.volumes) node.volumes.set(driver, claims);
  node.placed.length = 0;
}

function* podsByNode(pods: readonly BoundPodView[]): Steps<ReadonlyMap<string, readonly BoundPodView[]>> {
  const byNode = new Map<string, BoundPodView[]>();
  yield* inSteps(
    pods,
    (pod) => {
      const others = byNode.get(pod.nodeName);
      if (others === undefined) byNode.set(pod.nodeName, [pod]);
      else others.push(pod);
    },
    'light',
  );
  return byNode;
}

function existingNode(inputs: NodeInputs, node: NodeView, pods: readonly BoundPodView[]): ExistingNode {
  const { vocabulary, storage } = inputs;
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
    room: remaining(inputs, node, requirements),
    ports: pods.flatMap(hostPorts),
    volumes: volumesByDriver(storage, pods),
    volumeLimits: new Map(Object.entries(node.volumeLimits ?? {})),
    initialized,
    refusesMoved: false,
    placed: [],
  };
}

/**
 * Allocatable less pods, less the requests of daemons that do not run there yet, as in Karpenter: per
 * resource, never less than zero for the daemons, and nothing fits any more once a resource is overcommitted.
 * A resource that the node lacks counts as zero, not as overcommitted.
 */
function remaining({ axes, daemons }: NodeInputs, node: NodeView, requirements: Requirements): Float64Array {
  const room = axes.vector(node.allocatable);
  axes.add(room, node.podRequests, -1);
  const daemonsToCome = axes.vector(undefined);
  axes.add(daemonsToCome, node.daemonRequests, -1);
  for (const daemon of daemons) {
    if (runsHere(daemon, node.taints, requirements)) addTo(daemonsToCome, daemon.size);
  }
  addTo(
    room,
    daemonsToCome.map((amount) => Math.max(0, amount)),
    -1,
  );
  for (const [axis, name] of axes.names.entries()) if (!(name in node.allocatable)) room[axis] = 0;
  return room.some((amount) => amount < 0) ? axes.vector(undefined) : room;
}

function runsHere(daemon: Daemon, taints: readonly Taint[], requirements: Requirements): boolean {
  return (
    untolerated(taints, daemon.pod.spec.tolerations ?? []).length === 0 &&
    daemon.alternatives.some((required) => requirements.compatible(required, LabelKeySet.empty))
  );
}
