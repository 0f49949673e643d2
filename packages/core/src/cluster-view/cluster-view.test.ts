import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeClaim, NodePool } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { ClusterView, type ViewEvent } from './cluster-view.ts';
import type { ViewedPod } from './pod-row.ts';
import type { PriceOf } from './price.ts';
import { totalsBy, totalsOf } from './totals.ts';

const priceOf: PriceOf = ({ instanceType, capacityType }) =>
  instanceType === undefined
    ? undefined
    : { hourly: capacityType === 'spot' ? 0.03 : 0.1, onDemand: 0.1, source: 'catalogue' };

const labels = (pool: string, capacityType = 'spot') => ({
  'karpenter.sh/nodepool': pool,
  'karpenter.sh/capacity-type': capacityType,
  'node.kubernetes.io/instance-type': 'm5.large',
  'topology.kubernetes.io/zone': 'us-west-2a',
});

const claim = (name: string, providerID?: string): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name,
    uid: `uid-${name}`,
    labels: labels('default'),
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: {
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [],
    expireAfter: '720h',
  },
  ...(providerID !== undefined && { status: { providerID, allocatable: { cpu: '1930m' } } }),
});

const node = (name: string, providerID?: string, ready = 'True'): ClusterNode => ({
  metadata: { name, labels: labels('default'), creationTimestamp: '2026-01-01T00:01:00Z' },
  spec: providerID === undefined ? {} : { providerID },
  status: {
    capacity: { cpu: '2', memory: '8Gi', pods: '29' },
    allocatable: { cpu: '1930m', memory: '7Gi', pods: '29' },
    conditions: [{ type: 'Ready', status: ready, lastTransitionTime: '2026-01-01T00:02:00Z' }],
  },
});

const pod = (name: string, nodeName?: string, cpu = '500m'): ViewedPod => ({
  metadata: {
    name,
    namespace: 'default',
    uid: name,
    labels: { 'pod-template-hash': '5f6' },
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5f6', controller: true }],
  },
  spec: {
    containers: [{ resources: { requests: { cpu } } }],
    ...(nodeName !== undefined && { nodeName }),
  },
  ...(nodeName !== undefined && {
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }),
});

const pool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: {
    limits: { cpu: '100' },
    disruption: { budgets: [{ nodes: '10%' }], consolidateAfter: '0s', consolidationPolicy: 'WhenEmpty' },
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [],
        expireAfter: '720h',
      },
    },
  },
};

const viewOf = (...events: readonly ViewEvent[]) => {
  const view = new ClusterView(priceOf);
  for (const event of events) view.apply(event);
  return view;
};
const applied = <E extends ViewEvent>(kind: E['kind'], object: E['object']) =>
  ({ type: 'applied', kind, object }) as ViewEvent;

describe('the read model', () => {
  it('shows a NodeClaim as launching, then registering, then as its ready Node, in one row', () => {
    const view = viewOf(applied('NodeClaim', claim('c1')));
    expect([...view.nodes.values()]).toMatchObject([{ id: 'uid-c1', name: 'c1', phase: 'launching' }]);
    view.apply(applied('NodeClaim', claim('c1', 'aws:///us-west-2a/i-1')));
    expect([...view.nodes.values()]).toMatchObject([{ name: 'i-1', phase: 'registering' }]);
    view.apply(applied('Node', node('ip-1', 'aws:///us-west-2a/i-1')));
    expect([...view.nodes.values()]).toMatchObject([
      { id: 'aws:///us-west-2a/i-1', name: 'ip-1', nodeClaim: 'c1', phase: 'ready', nodePool: 'default' },
    ]);
  });

  it('keeps Nodes without a provider ID apart', () => {
    const view = viewOf(applied('Node', node('a')), applied('Node', node('b')));
    expect([...view.nodes.keys()]).toEqual(['a', 'b']);
  });

  it('keeps two Nodes with the same provider ID apart, and one when the other goes', () => {
    const view = viewOf(
      applied('Node', node('a', 'aws:///x/i-1')),
      applied('Node', node('b', 'aws:///x/i-1')),
    );
    expect([...view.nodes.values()].map(({ name }) => name).sort()).toEqual(['a', 'b']);
    view.apply({ type: 'deleted', kind: 'Node', object: node('a', 'aws:///x/i-1') });
    expect([...view.nodes.values()].map(({ name }) => name)).toEqual(['b']);
  });

  it('shows taints of Karpenter v1 and of earlier versions as cordoned', () => {
    for (const key of ['karpenter.sh/disrupted', 'karpenter.sh/disruption']) {
      const tainted = { ...node('a'), spec: { taints: [{ key, effect: 'NoSchedule' }] } };
      expect(viewOf(applied('Node', tainted)).nodes.get('a')?.isCordoned).toBe(true);
    }
  });

  it('says of a deleting node whether it is ready', () => {
    const deleting = { ...node('a'), metadata: { name: 'a', deletionTimestamp: '2026-01-01T01:00:00Z' } };
    expect(viewOf(applied('Node', deleting)).nodes.get('a')).toMatchObject({
      phase: 'terminating',
      isDeleting: true,
      isReady: true,
    });
  });

  it('has no price for a NodeClaim without an instance', () => {
    const price = (...args: Parameters<typeof claim>) =>
      [...viewOf(applied('NodeClaim', claim(...args))).nodes.values()][0]?.price;
    expect(price('c1')).toBeUndefined();
    expect(price('c1', 'aws:///us-west-2a/i-1')).toBeDefined();
  });

  it('takes the size of a Fargate node from its pod', () => {
    const annotated = pod('p1', 'a');
    const view = viewOf(
      applied('Node', {
        ...node('a'),
        metadata: { name: 'a', labels: { 'eks.amazonaws.com/compute-type': 'fargate' } },
      }),
      applied('Pod', {
        ...annotated,
        metadata: { ...annotated.metadata, annotations: { CapacityProvisioned: '0.25vCPU 0.5GB' } },
      }),
    );
    expect(view.nodes.get('a')).toMatchObject({ capacityType: 'fargate', instanceType: '0.25vCPU 0.5GB' });
  });

  it('counts pods by phase, of each node and of all, as they come, change and go', () => {
    const view = viewOf(
      applied('Node', node('a')),
      applied('Pod', pod('p1', 'a')),
      applied('Pod', pod('p2')),
    );
    expect(view.podCounts).toEqual({ total: 2, pending: 1, running: 1, bound: 1 });
    expect(view.nodes.get('a')?.podCounts).toEqual({ total: 1, pending: 0, running: 1, bound: 1 });
    view.apply(applied('Pod', pod('p2', 'a')));
    view.apply({ type: 'deleted', kind: 'Pod', object: pod('p1', 'a') });
    expect(view.podCounts).toEqual({ total: 1, pending: 0, running: 1, bound: 1 });
  });

  it('follows a pod that is resized in place', () => {
    const view = viewOf(applied('Node', node('a')), applied('Pod', pod('p1', 'a', '500m')));
    expect(view.nodes.get('a')?.requested['cpu']).toBe(0.5);
    view.apply(applied('Pod', pod('p1', 'a', '250m')));
    expect(view.nodes.get('a')?.requested['cpu']).toBe(0.25);
  });

  it('counts no requests for pods that are being deleted', () => {
    const deleting = pod('p1', 'a');
    const metadata = { ...deleting.metadata, deletionTimestamp: '2026-01-01T01:00:00Z' };
    const view = viewOf(applied('Node', node('a')), applied('Pod', { ...deleting, metadata }));
    expect(view.nodes.get('a')?.requested).toEqual({});
  });

  it('sums the requests of the pods of a node, also of those that arrived before it', () => {
    const view = viewOf(
      applied('Pod', pod('p1', 'a')),
      applied('Node', node('a')),
      applied('Pod', pod('p2', 'a')),
    );
    expect(view.nodes.get('a')).toMatchObject({ requested: { cpu: 1, pods: 2 }, pods: ['p1', 'p2'] });
  });

  it('counts no requests for pods that have ended', () => {
    const ended = { ...pod('p1', 'a'), status: { phase: 'Succeeded' } };
    const view = viewOf(applied('Node', node('a')), applied('Pod', ended));
    expect(view.nodes.get('a')?.requested).toEqual({});
    expect(view.pods.get('p1')?.phase).toBe('succeeded');
  });

  it('names the Deployment behind a ReplicaSet as the workload of its pods', () => {
    expect(viewOf(applied('Pod', pod('p1'))).pods.get('p1')?.workload).toEqual({
      kind: 'Deployment',
      name: 'web',
    });
  });

  it('reports only what changed since the last look', () => {
    const view = viewOf(
      applied('Node', node('a')),
      applied('Node', node('b')),
      applied('Pod', pod('p1', 'a')),
    );
    view.takeChanges();
    view.apply({ type: 'deleted', kind: 'Pod', object: pod('p1', 'a') });
    const { nodes, pods } = view.takeChanges();
    expect(nodes.changed.map(({ id }) => id)).toEqual(['a']);
    expect(pods.removed).toEqual(['p1']);
    expect(view.takeChanges()).toMatchObject({ nodes: { changed: [], removed: [] } });
  });

  it('adds up the nodes of a NodePool with their price beside its limits', () => {
    const view = viewOf(applied('NodePool', pool), applied('Node', node('a')), applied('Node', node('b')));
    expect(view.pools.get('default')).toMatchObject({
      nodes: 2,
      limits: { cpu: 100 },
      usage: { cpu: 4, nodes: 2 },
    });
    expect(view.pools.get('default')?.hourly).toBeCloseTo(0.06);
  });

  it('totals nodes by any key, with what they would cost on demand', () => {
    const nodes = [...viewOf(applied('Node', node('a')), applied('Node', node('b'))).nodes.values()];
    expect(totalsOf(nodes)).toMatchObject({ nodes: 2, hourly: 0.06, onDemandHourly: 0.2, spotHourly: 0.06 });
    expect([...totalsBy(nodes, ({ zone }) => zone).keys()]).toEqual(['us-west-2a']);
  });

  it('shows the same rows whatever the order of events between kinds', () => {
    const events = [
      applied('NodeClaim', claim('c1', 'aws:///us-west-2a/i-1')),
      applied('Node', node('ip-1', 'aws:///us-west-2a/i-1')),
      applied('Node', node('other')),
      applied('Pod', pod('p1', 'ip-1')),
      applied('Pod', pod('p2', 'other')),
      applied('NodePool', pool),
    ];
    const rows = (view: ClusterView) => [
      [...view.nodes].sort(([a], [b]) => (a < b ? -1 : 1)),
      [...view.pools.values()],
    ];
    const expected = rows(viewOf(...events));
    fc.assert(
      fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
        expect(rows(viewOf(...shuffled))).toEqual(expected);
      }),
    );
  });
});
