import { labelAliases, labelKeys, type NodePool, wellKnownLabels } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import type { RequirementItem, WrittenRequirement } from '@karpenter/core/requirements';
import type {
  BoundPodView,
  NodeView,
  Plan,
  PlannedNode,
  PlanOptions,
  PodView,
  Snapshot,
} from '@karpenter/core/scheduling';
import type { Labels, QuantityTexts, Taint } from '@karpenter/core/values';
import type { ConstrainedSpec } from '../pod-spec.ts';

/** A cluster small enough to judge every plan by eye. */

export const options: PlanOptions = {
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  wellKnownLabels,
  labelAliases,
};

export const reservationKey = 'example.com/reservation';

/** Pods wait for reservations. */
export const strict: Partial<PlanOptions> = {
  reservedCapacity: { idLabel: reservationKey, mode: 'strict' },
  wellKnownLabels: new Set([...wellKnownLabels, reservationKey]),
};

export const zoneKey: string = labelKeys.zone;
export const hostKey: string = labelKeys.hostname;

export function isIn(key: string, ...values: string[]): WrittenRequirement {
  return { key, operator: 'In', values };
}

/** On demand in zones a, b and c; the last may be unavailable. */
export function instanceType(name: string, cpu: number, soldOut: readonly string[] = []): InstanceType {
  return {
    name,
    requirements: [
      isIn(labelKeys.instanceType, name),
      isIn(zoneKey, 'a', 'b', 'c'),
      isIn(labelKeys.capacityType, 'on-demand'),
    ],
    capacity: { cpu: String(cpu), memory: '64Gi', pods: '50' },
    overhead: {},
    offerings: ['a', 'b', 'c'].map((zone) => ({
      requirements: [isIn(zoneKey, zone), isIn(labelKeys.capacityType, 'on-demand')],
      price: cpu / 10,
      available: !soldOut.includes(zone),
    })),
  };
}

/** The small type with a reservation of so many instances in zone a. */
export function reservedType(name: string, capacity: number, id = 'cr-1'): InstanceType {
  const { requirements, offerings, ...type } = instanceType(name, 2);
  const reserved = {
    requirements: [isIn(zoneKey, 'a'), isIn(labelKeys.capacityType, 'reserved'), isIn(reservationKey, id)],
    price: 0.001,
    available: true,
    reservationCapacity: capacity,
  };
  return {
    ...type,
    requirements: [
      ...requirements.filter(({ key }) => key !== labelKeys.capacityType),
      isIn(labelKeys.capacityType, 'on-demand', 'reserved'),
    ],
    offerings: [...offerings, reserved],
  };
}

interface PoolParts {
  readonly requirements?: readonly RequirementItem[];
  readonly labels?: Labels;
  readonly taints?: readonly Taint[];
  readonly weight?: number;
  readonly limits?: QuantityTexts;
  readonly replicas?: number;
}

export function nodePool(name: string, parts: PoolParts = {}): NodePool {
  const { requirements = [], labels = {}, taints = [], ...spec } = parts;
  const nodeClassRef = { group: 'example.com', kind: 'MachineClass', name: 'default' };
  const template = { metadata: { labels }, spec: { requirements, taints, nodeClassRef } };
  return { metadata: { name }, spec: { ...spec, template } } as unknown as NodePool;
}

export const tolerateX = [{ key: 'x', operator: 'Exists' }];
export const taintX: Taint = { key: 'x', effect: 'NoSchedule' };

/** A pod of one CPU. */
export function pod(name: string, spec: Partial<ConstrainedSpec> = {}, labels: Labels = {}): PodView {
  const containers = [{ name: 'main', resources: { requests: { cpu: '1' } } }];
  return {
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: { containers, ...spec },
  } as PodView;
}

/** A pod with a host port. */
export function portPod(name: string): PodView {
  const resources = { requests: { cpu: '1' } };
  return pod(name, { containers: [{ name: 'main', resources, ports: [{ hostPort: 80 }] }] });
}

export function bound(nodeName: string, view: PodView): BoundPodView {
  return { ...view, nodeName };
}

/** An existing node of four CPUs in zone a. */
export function node(name: string, parts: Partial<NodeView> = {}): NodeView {
  return {
    name,
    labels: { [zoneKey]: 'a', [hostKey]: name },
    taints: [],
    initialized: true,
    deleting: false,
    capacity: { cpu: '4', memory: '64Gi', pods: '50' },
    allocatable: { cpu: '4', memory: '64Gi', pods: '50' },
    podRequests: {},
    daemonRequests: {},
    ...parts,
  };
}

export function snapshot(parts: Partial<Snapshot> = {}): Snapshot {
  const nodePools = parts.nodePools ?? [nodePool('main')];
  const types = [instanceType('small', 2, ['c']), instanceType('big', 8)];
  return {
    at: 0,
    revision: 1,
    nodePools,
    instanceTypes: new Map(nodePools.map(({ metadata }) => [metadata.name ?? '', types])),
    nodes: [],
    pods: [],
    boundPods: [],
    daemonPods: [],
    namespaces: new Map([['default', {}]]),
    ...parts,
  };
}

/** A small node in zone a. */
export function newNode(pods: readonly string[], parts: Partial<PlannedNode> = {}): PlannedNode {
  return {
    nodePool: 'main',
    requirements: [isIn(zoneKey, 'a')],
    instanceTypes: ['small'],
    pods,
    requests: { cpu: String(pods.length), pods: String(pods.length) },
    price: 0.2,
    choice: {
      offering: { instanceType: 'small', price: 0.2 },
      fill: {},
      bindingResources: [],
      alternatives: [],
      narrowings: [],
      passedOver: [],
    },
    ...parts,
  };
}

/** A small node restricted to reservations. */
export function reservedNode(pods: readonly string[], ...ids: string[]): PlannedNode {
  return newNode(pods, {
    requirements: [
      isIn(zoneKey, 'a'),
      isIn(labelKeys.capacityType, 'reserved'),
      isIn(reservationKey, ...ids),
    ],
    price: 0.001,
  });
}

export function newNodeIn(zone: string, ...pods: string[]): PlannedNode {
  return newNode(pods, { requirements: [isIn(zoneKey, zone)] });
}

export function plan(parts: Partial<Plan> = {}): Plan {
  return {
    revision: 1,
    placements: [],
    newNodes: [],
    rejections: [],
    deferred: [],
    unevaluated: [],
    ...parts,
  };
}

export function rejected(...uids: string[]): Plan['rejections'] {
  return uids.map((uid) => ({ pod: uid, reasons: [], message: 'no place' }));
}
