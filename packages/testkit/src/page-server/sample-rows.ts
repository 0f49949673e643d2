import type { PageNode, PagePod, PagePool } from '@karpenter/core/page-api';

const gib = 2 ** 30;

interface SampleType {
  readonly name: string;
  readonly cores: number;
  readonly gib: number;
  /** Dollars per hour on demand. */
  readonly onDemand: number;
}

export const sampleTypes: readonly SampleType[] = [
  { name: 'm7i.xlarge', cores: 4, gib: 16, onDemand: 0.2016 },
  { name: 'c7i.2xlarge', cores: 8, gib: 16, onDemand: 0.357 },
  { name: 'm7i.2xlarge', cores: 8, gib: 32, onDemand: 0.4032 },
  { name: 'r7i.xlarge', cores: 4, gib: 32, onDemand: 0.2646 },
  { name: 'm7i.4xlarge', cores: 16, gib: 64, onDemand: 0.8064 },
];

export const sampleZones = ['us-west-2a', 'us-west-2b', 'us-west-2c'] as const;
export const samplePools = ['default', 'batch', 'services'] as const;
const spotShare = 0.35;

export interface NodeShape {
  readonly index: number;
  readonly type: SampleType;
  readonly pool: string;
  readonly zone: string;
  readonly capacityType: 'spot' | 'on-demand';
  readonly createdAt: number;
}

function sampleNodeName(index: number): string {
  return `ip-10-0-${index >> 8}-${index & 255}.us-west-2.compute.internal`;
}

/** A node that is ready and empty. */
export function readyNode({ index, type, pool, zone, capacityType, createdAt }: NodeShape): PageNode {
  const name = sampleNodeName(index);
  const isSpot = capacityType === 'spot';
  return {
    id: `aws:///${zone}/i-${index.toString(16).padStart(8, '0')}`,
    name,
    nodeName: name,
    nodeClaim: `${pool}-${index.toString(36).padStart(5, 'x')}`,
    nodePool: pool,
    instanceType: type.name,
    zone,
    capacityType,
    labels: {
      'karpenter.sh/nodepool': pool,
      'karpenter.sh/capacity-type': capacityType,
      'node.kubernetes.io/instance-type': type.name,
      'topology.kubernetes.io/zone': zone,
      'kubernetes.io/arch': 'amd64',
      team: index % 2 === 0 ? 'web' : 'data',
    },
    phase: 'ready',
    phaseSince: createdAt,
    isReady: true,
    readySince: createdAt,
    isCordoned: false,
    isDeleting: false,
    isProtected: false,
    createdAt,
    capacity: { cpu: type.cores, memory: type.gib * gib, pods: 58 },
    allocatable: { cpu: type.cores - 0.1, memory: type.gib * gib * 0.93, pods: 58 },
    requested: {},
    daemons: {},
    price: {
      hourly: type.onDemand * (isSpot ? spotShare : 1),
      onDemand: type.onDemand,
      source: 'catalogue',
      ...(isSpot && { isEstimated: true }),
    },
  };
}

export interface PodShape {
  readonly index: number;
  readonly workload: string;
  readonly namespace: string;
  readonly cores: number;
  readonly gib: number;
  readonly createdAt: number;
  readonly isDaemon?: boolean;
}

/** A pod that waits for a node. */
export function pendingPod(shape: PodShape): PagePod {
  const { index, workload, namespace, cores, createdAt, isDaemon = false } = shape;
  return {
    uid: `pod-${index}`,
    namespace,
    name: `${workload}-${index.toString(36)}`,
    phase: 'pending',
    statusPhase: 'Pending',
    workload: { kind: isDaemon ? 'DaemonSet' : 'Deployment', name: workload },
    labels: { app: workload },
    requests: { cpu: cores, memory: shape.gib * gib, pods: 1 },
    isDaemon,
    createdAt,
    restarts: 0,
    message: '0/3 nodes are available: 3 Insufficient cpu.',
  };
}

export function boundPod({ message, ...pod }: PagePod, nodeName: string, phase: PagePod['phase']): PagePod {
  return { ...pod, nodeName, phase, statusPhase: phase === 'running' ? 'Running' : 'Pending' };
}

export function samplePool(name: string, nodes: readonly PageNode[], now: number): PagePool {
  const sum = (resource: string) => nodes.reduce((all, { capacity }) => all + (capacity[resource] ?? 0), 0);
  const isBatch = name === 'batch';
  return {
    name,
    weight: isBatch ? 10 : 0,
    isReady: true,
    limits: isBatch ? { cpu: 4_000, memory: 16_000 * gib } : { cpu: 12_000 },
    usage: { cpu: sum('cpu'), memory: sum('memory'), nodes: nodes.length },
    nodes: nodes.length,
    hourly: nodes.reduce((all, { price }) => all + (price?.hourly ?? 0), 0),
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
    consolidateAfter: '30s',
    budgets: [
      { reasons: [], nodes: '10%', isActive: true, allowed: Math.ceil(nodes.length / 10) },
      {
        reasons: ['Drifted'],
        nodes: '0',
        schedule: '0 9 * * mon-fri',
        duration: '8h',
        isActive: false,
        changesAt: now + 3 * 3_600_000,
      },
    ],
  };
}
