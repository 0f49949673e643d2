import { type NodeRow, totalsOf } from '@karpenter/core/cluster-view';

const gib = 2 ** 30;
export const sampleTime = Date.UTC(2026, 0, 1, 12);

/** A ready node of 4 cores on demand in the NodePool `default`, for tests. */
export function sampleNode(name: string, parts: Partial<NodeRow> = {}): NodeRow {
  return {
    id: `aws:///us-west-2a/${name}`,
    name,
    nodeName: name,
    nodePool: 'default',
    instanceType: 'm5.xlarge',
    zone: 'us-west-2a',
    capacityType: 'on-demand',
    labels: { 'karpenter.sh/nodepool': parts.nodePool ?? 'default', team: 'web' },
    phase: 'ready',
    phaseSince: 0,
    isReady: true,
    readySince: 0,
    isCordoned: false,
    isDeleting: false,
    isProtected: false,
    createdAt: sampleTime - 3_600_000,
    capacity: {},
    allocatable: { cpu: 3.92, memory: 14 * gib, pods: 58 },
    requested: { cpu: 2.5, memory: 7 * gib, pods: 9 },
    daemons: {},
    podCounts: { total: 0, pending: 0, running: 0, bound: 0 },
    pods: [],
    price: { hourly: 0.192, onDemand: 0.192, source: 'catalogue' },
    ...parts,
  };
}

/** What `view` shows of these nodes, with some pods. */
export function sampleModel(nodes: readonly NodeRow[]) {
  return {
    nodes,
    totals: totalsOf(nodes),
    pods: { total: 1234, pending: 3, running: 1230, bound: 1231 },
    isEstimated: nodes.some(({ price }) => price?.isEstimated === true),
  };
}
