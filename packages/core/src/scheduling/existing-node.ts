import { labelKeys } from '../api/index.ts';
import { LabelKeySet, Requirement, Requirements, type Vocabulary } from '../requirements/index.ts';
import { type HostPort, hostPorts, type Taint } from '../values/index.ts';
import { type Daemon, daemonTolerates } from './daemon-overhead.ts';
import { addTo, type ResourceAxes } from './resource-axes.ts';
import type { BoundPodView, NodeView } from './snapshot.ts';

/** A node that is there or on its way, and what still fits on it. */
export interface ExistingNode {
  readonly name: string;
  readonly hostname: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** Shrinks as pods are placed; all zero on a node that is over its means already. */
  readonly room: Float64Array;
  readonly ports: HostPort[];
  readonly initialized: boolean;
  /** Uids of the pods placed on it by this plan. */
  readonly placed: string[];
}

export function existingNodes(
  vocabulary: Vocabulary,
  axes: ResourceAxes,
  nodes: readonly NodeView[],
  daemons: readonly Daemon[],
  boundPods: readonly BoundPodView[],
): readonly ExistingNode[] {
  const ports = portsByNode(boundPods);
  return nodes
    .filter(({ deleting }) => !deleting)
    .map((node) => existingNode(vocabulary, axes, node, daemons, ports.get(node.name) ?? []))
    .sort((a, b) => Number(b.initialized) - Number(a.initialized) || (a.name < b.name ? -1 : 1));
}

function portsByNode(pods: readonly BoundPodView[]): Map<string, HostPort[]> {
  const ports = new Map<string, HostPort[]>();
  for (const pod of pods) {
    const used = hostPorts(pod);
    if (used.length > 0) ports.set(pod.nodeName, [...(ports.get(pod.nodeName) ?? []), ...used]);
  }
  return ports;
}

function existingNode(
  vocabulary: Vocabulary,
  axes: ResourceAxes,
  node: NodeView,
  daemons: readonly Daemon[],
  ports: HostPort[],
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
    ports,
    initialized,
    placed: [],
  };
}

/** Daemons that are yet to come to the node need their room too. */
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
  return room.some((amount) => amount < 0) ? axes.vector(undefined) : room;
}

function runsHere(daemon: Daemon, taints: readonly Taint[], requirements: Requirements): boolean {
  return (
    daemonTolerates(daemon, taints) &&
    daemon.alternatives.some((wanted) => requirements.compatible(wanted, LabelKeySet.empty))
  );
}
