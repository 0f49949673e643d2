import type { NodePool, RequirementField } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import type {
  BoundPodView,
  DevicesView,
  NodeView,
  PlanOptions,
  PodSpecView,
  PodView,
  Snapshot,
} from '@karpenter/core/scheduling';
import type { Labels, QuantityTexts, Taint } from '@karpenter/core/values';

/** A snapshot with the given parts only; every NodePool offers all instance types. */
export function snapshot(parts: {
  readonly pods?: readonly PodView[];
  readonly pools?: readonly NodePool[];
  readonly types?: readonly InstanceType[];
  readonly nodes?: readonly NodeView[];
  readonly boundPods?: readonly BoundPodView[];
  readonly daemonPods?: readonly PodView[];
  readonly namespaces?: Readonly<Record<string, Labels>>;
  readonly devices?: DevicesView;
}): Snapshot {
  const {
    pods = [],
    pools = [pool('default')],
    types = [],
    nodes = [],
    boundPods = [],
    daemonPods = [],
  } = parts;
  return {
    at: 0,
    revision: 1,
    nodePools: pools,
    instanceTypes: new Map(pools.map(({ metadata }) => [metadata.name, types])),
    nodes,
    pods,
    boundPods,
    daemonPods,
    namespaces: new Map(Object.entries(parts.namespaces ?? { default: {} })),
    ...(parts.devices !== undefined && { devices: parts.devices }),
  };
}

const reservationId = 'karpenter.k8s.aws/capacity-reservation-id';

export const planOptions: PlanOptions = {
  preferencePolicy: 'Respect',
  minValuesPolicy: 'Strict',
  wellKnownLabels: new Set([
    'karpenter.sh/nodepool',
    'karpenter.sh/capacity-type',
    'topology.kubernetes.io/zone',
    'node.kubernetes.io/instance-type',
    'kubernetes.io/arch',
    'kubernetes.io/os',
    reservationId,
  ]),
  labelAliases: new Map(),
  reservedCapacity: { idLabel: reservationId, mode: 'strict' },
};

export interface PoolParts {
  readonly weight?: number;
  readonly requirements?: readonly RequirementField[];
  readonly labels?: Labels;
  readonly taints?: NodePool['spec']['template']['spec']['taints'];
  readonly startupTaints?: NodePool['spec']['template']['spec']['startupTaints'];
  readonly limits?: QuantityTexts;
  readonly replicas?: number;
  readonly conditions?: NonNullable<NodePool['status']>['conditions'];
  readonly deletionTimestamp?: string;
}

export function pool(name: string, parts: PoolParts = {}): NodePool {
  const { weight, requirements = [], labels, taints, startupTaints, limits, replicas } = parts;
  const { conditions, deletionTimestamp } = parts;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
    ...(conditions === undefined ? {} : { status: { conditions, nodes: 0 } }),
    spec: {
      template: {
        ...(labels === undefined ? {} : { metadata: { labels } }),
        spec: {
          requirements,
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          expireAfter: '720h',
          ...(taints === undefined ? {} : { taints }),
          ...(startupTaints === undefined ? {} : { startupTaints }),
        },
      },
      disruption: {
        consolidateAfter: '0s',
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        budgets: [{ nodes: '10%' }],
      },
      ...(weight === undefined ? {} : { weight }),
      ...(limits === undefined ? {} : { limits }),
      ...(replicas === undefined ? {} : { replicas }),
    },
  };
}

export interface TypeParts {
  readonly price: number;
  readonly cpu?: string;
  readonly memory?: string;
  readonly pods?: string;
  readonly arch?: string;
  readonly labels?: Labels;
  readonly extra?: QuantityTexts;
  readonly zones?: readonly string[];
  readonly capacityTypes?: readonly string[];
  /** `zone/capacity-type` of offerings that are unavailable. */
  readonly unavailable?: readonly string[];
  readonly spotPrice?: number;
  /** In the given zone, by default the first, and nearly free. */
  readonly reservations?: readonly ReservationParts[];
}

interface ReservationParts {
  readonly id: string;
  readonly capacity: number;
  readonly zone?: string;
  readonly available?: boolean;
}

const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In', values });

function reservedOfferings({ price, zones = ['a', 'b', 'c'], reservations = [] }: TypeParts): Offering[] {
  return reservations.map(({ id, capacity, zone = zones[0] ?? '', available = true }) => ({
    requirements: [
      is('topology.kubernetes.io/zone', zone),
      is('karpenter.sh/capacity-type', 'reserved'),
      is(reservationId, id),
    ],
    price: price / 10_000_000,
    available,
    reservationCapacity: capacity,
  }));
}

export function instanceType(name: string, parts: TypeParts): InstanceType {
  const { zones = ['a', 'b', 'c'], capacityTypes = ['on-demand'], unavailable = [], arch = 'amd64' } = parts;
  const { reservations = [] } = parts;
  return {
    name,
    requirements: [
      is('node.kubernetes.io/instance-type', name),
      is('kubernetes.io/arch', arch),
      is('kubernetes.io/os', 'linux'),
      is('topology.kubernetes.io/zone', ...zones),
      is('karpenter.sh/capacity-type', ...capacityTypes, ...(reservations.length > 0 ? ['reserved'] : [])),
      ...(reservations.length > 0 ? [is(reservationId, ...reservations.map(({ id }) => id))] : []),
      ...Object.entries(parts.labels ?? {}).map(([key, value]) => is(key, value)),
    ],
    capacity: {
      cpu: parts.cpu ?? '4',
      memory: parts.memory ?? '16Gi',
      pods: parts.pods ?? '110',
      ...parts.extra,
    },
    overhead: {},
    offerings: [
      ...zones.flatMap((zone) =>
        capacityTypes.map((capacityType) => ({
          requirements: [
            is('topology.kubernetes.io/zone', zone),
            is('karpenter.sh/capacity-type', capacityType),
            { key: reservationId, operator: 'DoesNotExist' },
          ],
          price: capacityType === 'spot' ? (parts.spotPrice ?? parts.price / 2) : parts.price,
          available: !unavailable.includes(`${zone}/${capacityType}`),
        })),
      ),
      ...reservedOfferings(parts),
    ],
  };
}

export interface PodParts extends Omit<Partial<PodSpecView>, 'containers'> {
  readonly cpu?: string;
  readonly memory?: string;
  readonly extra?: QuantityTexts;
  readonly labels?: Labels;
  readonly namespace?: string;
  readonly ports?: readonly number[];
}

export function pod(name: string, parts: PodParts = {}): PodView {
  const { cpu = '1', memory = '1Gi', extra, labels = {}, namespace = 'default', ports = [], ...spec } = parts;
  return {
    metadata: { name, namespace, uid: name, labels },
    spec: {
      ...spec,
      containers: [
        {
          resources: { requests: { cpu, memory, ...extra } },
          ports: ports.map((hostPort) => ({ containerPort: hostPort, hostPort })),
        },
      ],
    },
  };
}

/** Identical pods that differ only in their names. */
export function pods(count: number, name: string, parts: PodParts = {}): readonly PodView[] {
  const model = pod(name, parts);
  return Array.from({ length: count }, (_, index) => ({
    ...model,
    metadata: { ...model.metadata, name: `${name}-${index}`, uid: `${name}-${index}` },
  }));
}

export function boundPod(name: string, nodeName: string, parts: PodParts = {}): BoundPodView {
  return { ...pod(name, parts), nodeName };
}

export interface NodeViewParts {
  readonly labels?: Labels;
  readonly taints?: readonly Taint[];
  readonly initialized?: boolean;
  readonly deleting?: boolean;
  readonly allocatable?: QuantityTexts;
  readonly podRequests?: QuantityTexts;
  readonly nodePool?: string;
}

export function node(name: string, parts: NodeViewParts = {}): NodeView {
  const allocatable = { cpu: '4', memory: '16Gi', pods: '110', ...parts.allocatable };
  return {
    name,
    labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': 'a', ...parts.labels },
    taints: parts.taints ?? [],
    initialized: parts.initialized ?? true,
    deleting: parts.deleting ?? false,
    capacity: allocatable,
    allocatable,
    podRequests: parts.podRequests ?? {},
    daemonRequests: {},
    ...(parts.nodePool === undefined ? {} : { nodePool: parts.nodePool }),
  };
}
