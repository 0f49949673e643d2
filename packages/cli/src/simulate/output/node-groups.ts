import type { InstanceType } from '@karpenter/core/ports';
import type { PlannedNode, Snapshot } from '@karpenter/core/scheduling';
import {
  parseResourceList,
  type ResourceList,
  resourceAmount,
  subtractResources,
  toNumber,
} from '@karpenter/core/values';
import { VirtualPods } from './virtual-pods.ts';

/** New nodes of one NodePool with the same cheapest instance type, capacity type and price: one row of the table. */
export interface NodeGroup {
  readonly nodePool: string;
  /** The cheapest type of the nodes, to which the price belongs. EC2 may launch another of their types. */
  readonly instanceType: string;
  readonly capacityType: string;
  /** One node of the group, for the explanation of the choice. */
  readonly example: PlannedNode;
  /** Where the cheapest type is sold to these nodes. */
  readonly zones: readonly string[];
  readonly nodes: number;
  readonly priceEach: number;
  readonly pods: number;
  /** Virtual pods of CapacityBuffers. */
  readonly virtualPods: number;
  /** Requests of pods and daemons, against the allocatable resources of the cheapest type. */
  readonly requested: NodeFill;
  readonly allocatable: NodeFill;
}

/** Cores and bytes, summed over all nodes of a group. */
export interface NodeFill {
  readonly cpu: number;
  readonly memory: number;
}

/** The groups by NodePool in the order of the snapshot, the most expensive first. */
export function nodeGroups(nodes: readonly PlannedNode[], snapshot: Snapshot): readonly NodeGroup[] {
  const types = typesByName(snapshot);
  const virtual = new VirtualPods(snapshot);
  const groups = new Map<string, NodeGroup>();
  for (const node of nodes) {
    const one = groupOfOne(node, types, virtual);
    const key = JSON.stringify([one.nodePool, one.instanceType, one.capacityType, one.priceEach]);
    groups.set(key, joined(groups.get(key), one));
  }
  const order = new Map(snapshot.nodePools.map(({ metadata }, index) => [metadata.name, index]));
  const rank = ({ nodePool }: NodeGroup): number => order.get(nodePool) ?? order.size;
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || groupPrice(b) - groupPrice(a));
}

export function groupPrice({ nodes, priceEach }: NodeGroup): number {
  return nodes * priceEach;
}

type TypesByName = ReadonlyMap<string, ReadonlyMap<string, InstanceType>>;

function typesByName({ instanceTypes }: Snapshot): TypesByName {
  return new Map(
    [...instanceTypes].map(([pool, types]) => [pool, new Map(types.map((type) => [type.name, type]))]),
  );
}

function groupOfOne(node: PlannedNode, types: TypesByName, virtual: VirtualPods): NodeGroup {
  const [cheapest = ''] = node.instanceTypes;
  const type = types.get(node.nodePool)?.get(cheapest);
  return {
    nodePool: node.nodePool,
    instanceType: cheapest,
    capacityType: node.choice.offering.capacityType ?? '',
    example: node,
    zones: node.choice.offering.zone === undefined ? [] : [node.choice.offering.zone],
    nodes: 1,
    priceEach: node.price,
    pods: virtual.real(node.pods).length,
    virtualPods: virtual.virtual(node.pods).length,
    requested: fillOf(parseResourceList(node.requests)),
    allocatable: fillOf(type === undefined ? {} : allocatableOf(type)),
  };
}

function allocatableOf({ capacity, overhead }: InstanceType): ResourceList {
  return [overhead.kubeReserved, overhead.systemReserved, overhead.evictionThreshold].reduce<ResourceList>(
    (left, kept) => subtractResources(left, parseResourceList(kept)),
    parseResourceList(capacity),
  );
}

function fillOf(list: ResourceList): NodeFill {
  return { cpu: toNumber(resourceAmount(list, 'cpu')), memory: toNumber(resourceAmount(list, 'memory')) };
}

function joined(group: NodeGroup | undefined, one: NodeGroup): NodeGroup {
  if (group === undefined) return one;
  return {
    ...group,
    zones: [...new Set([...group.zones, ...one.zones])].sort(),
    nodes: group.nodes + one.nodes,
    pods: group.pods + one.pods,
    virtualPods: group.virtualPods + one.virtualPods,
    requested: sum(group.requested, one.requested),
    allocatable: sum(group.allocatable, one.allocatable),
  };
}

function sum(a: NodeFill, b: NodeFill): NodeFill {
  return { cpu: a.cpu + b.cpu, memory: a.memory + b.memory };
}
