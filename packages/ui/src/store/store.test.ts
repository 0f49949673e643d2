import type { Decision } from '@karpenter/core/decisions';
import type { PageNode, PagePod, RowsDelta } from '@karpenter/core/page-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, spotShare } from './cluster-cost.ts';
import { ClusterRows } from './cluster-rows.ts';
import { ClusterStore } from './cluster-store.ts';
import { CostHistory, pastFromDecisions } from './cost-history.ts';
import { findNode, findPod } from './selection.ts';

const none = { changed: [], removed: [] };
const rows = (parts: Partial<RowsDelta>): RowsDelta => ({
  isReset: false,
  at: 0,
  nodes: none,
  pods: none,
  pools: none,
  ...parts,
});

const node = (name: string, parts: Partial<PageNode> = {}): PageNode => ({
  id: `aws:///us-west-2a/i-${name}`,
  name,
  nodeName: name,
  nodePool: 'default',
  capacityType: 'spot',
  labels: {},
  phase: 'ready',
  phaseSince: 0,
  isReady: true,
  readySince: 0,
  isCordoned: false,
  isDeleting: false,
  isProtected: false,
  createdAt: 0,
  capacity: { cpu: 4 },
  allocatable: { cpu: 4 },
  requested: {},
  daemons: {},
  price: { hourly: 0.1, onDemand: 0.3, source: 'catalogue' },
  ...parts,
});

const pod = (uid: string, parts: Partial<PagePod> = {}): PagePod => ({
  uid,
  namespace: 'default',
  name: uid,
  phase: parts.nodeName === undefined ? 'pending' : 'running',
  statusPhase: 'Pending',
  workload: { kind: 'Deployment', name: 'web' },
  labels: {},
  requests: {},
  isDaemon: false,
  createdAt: 0,
  restarts: 0,
  ...parts,
});

describe('the rows', () => {
  it('follow deltas to the same state that a reset gives', () => {
    const pods = fc.array(
      fc.record({
        uid: fc.constantFrom('a', 'b', 'c', 'd'),
        nodeName: fc.constantFrom('n1', 'n2', undefined),
        isRemoved: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(pods, (changes) => {
        const stepwise = new ClusterRows();
        const latest = new Map<string, PagePod>();
        stepwise.apply(rows({ nodes: { changed: [node('n1'), node('n2')], removed: [] } }));
        for (const { uid, nodeName, isRemoved } of changes) {
          const changed = pod(uid, nodeName === undefined ? {} : { nodeName });
          if (isRemoved) latest.delete(uid);
          else latest.set(uid, changed);
          stepwise.apply(
            rows({ pods: isRemoved ? { changed: [], removed: [uid] } : { changed: [changed], removed: [] } }),
          );
        }
        const atOnce = new ClusterRows();
        atOnce.apply(
          rows({
            isReset: true,
            nodes: { changed: [node('n1'), node('n2')], removed: [] },
            pods: { changed: [...latest.values()], removed: [] },
          }),
        );
        expect(summary(stepwise)).toEqual(summary(atOnce));
      }),
    );
  });

  it('forget everything on a reset', () => {
    const cluster = new ClusterRows();
    cluster.apply(
      rows({
        nodes: { changed: [node('n1')], removed: [] },
        pods: { changed: [pod('a', { nodeName: 'n1' })], removed: [] },
      }),
    );
    cluster.apply(rows({ isReset: true }));
    expect(summary(cluster)).toEqual({ nodes: [], pods: [], pending: [], onNodes: {}, live: 0 });
    expect(cluster.nodeNamed('n1')).toBeUndefined();
  });

  it('say which nodes to draw again, and which pods were bound', () => {
    const cluster = new ClusterRows();
    let woken = 0;
    const changes = cluster.follow(() => {
      woken += 1;
    });
    cluster.apply(
      rows({ nodes: { changed: [node('n1')], removed: [] }, pods: { changed: [pod('a')], removed: [] } }),
    );
    changes.clear();
    cluster.apply(rows({ pods: { changed: [pod('a', { nodeName: 'n1' })], removed: [] } }));
    expect([...changes.bound]).toEqual(['a']);
    expect([...changes.podsOf]).toEqual(['n1']);
    expect(changes.isPendingChanged).toBe(true);
    expect(woken).toBe(2);
  });

  it('keep pods whose node is not known yet', () => {
    const cluster = new ClusterRows();
    cluster.apply(rows({ pods: { changed: [pod('a', { nodeName: 'n1' })], removed: [] } }));
    cluster.apply(rows({ nodes: { changed: [node('n1')], removed: [] } }));
    expect([...cluster.podsOf(node('n1'))].map(({ uid }) => uid)).toEqual(['a']);
  });

  it('find a node by each of its names, and a pod by namespace and name', () => {
    const cluster = new ClusterRows();
    cluster.apply(
      rows({
        nodes: { changed: [node('n1', { nodeClaim: 'default-x1' })], removed: [] },
        pods: { changed: [pod('a')], removed: [] },
      }),
    );
    for (const name of ['n1', 'default-x1', 'i-n1']) expect(findNode(cluster, name)?.name).toBe('n1');
    expect(findNode(cluster, 'n2')).toBeUndefined();
    expect(findPod(cluster, 'default/a')?.uid).toBe('a');
  });
});

function summary(cluster: ClusterRows) {
  const onNodes: Record<string, readonly string[]> = {};
  for (const row of cluster.nodes.values())
    onNodes[row.name] = [...cluster.podsOf(row)].map(({ uid }) => uid).sort();
  return {
    nodes: [...cluster.nodes.keys()].sort(),
    pods: [...cluster.pods.keys()].sort(),
    pending: [...cluster.pending.keys()].sort(),
    onNodes,
    live: cluster.phases.live,
  };
}

describe('the store', () => {
  const scheduled: (() => void)[] = [];
  const makeStore = () => new ClusterStore((flush) => scheduled.push(flush));
  const flush = () => {
    for (const run of scheduled.splice(0)) run();
  };

  it('notifies once for many deltas', () => {
    const store = makeStore();
    let heard = 0;
    store.subscribe('rows', () => {
      heard += 1;
    });
    for (const name of ['n1', 'n2', 'n3'])
      store.applyRows(rows({ nodes: { changed: [node(name)], removed: [] } }));
    expect([heard, store.version('rows')]).toEqual([0, 0]);
    flush();
    expect([heard, store.version('rows')]).toEqual([1, 1]);
    expect(store.cost.hourly).toBeCloseTo(0.3);
  });

  it('does not disturb those who follow something else', () => {
    const store = makeStore();
    const before = store.version('decisions');
    store.applyRows(rows({}));
    flush();
    expect(store.version('decisions')).toBe(before);
  });

  it('is live from the first rows, and lost until the next', () => {
    const store = makeStore();
    store.lose();
    expect(store.connection).toBe('connecting');
    store.applyRows(rows({ isReset: true }));
    store.lose();
    expect(store.connection).toBe('lost');
    store.applyRows(rows({ isReset: true }));
    expect(store.connection).toBe('live');
  });

  it('replaces a decision that comes again, where it was', () => {
    const store = makeStore();
    store.applyDecisions({ isReset: true, decisions: [launch(1, 0.1), launch(2, 0.1)] });
    store.applyDecisions({ isReset: false, decisions: [{ ...launch(1, 0.1), repeats: 3 }] });
    expect(store.decisions.map(({ at, repeats }) => [at, repeats])).toEqual([
      [1, 3],
      [2, undefined],
    ]);
  });

  it('adds decisions, and replaces them on a reset', () => {
    const store = makeStore();
    store.applyDecisions({ isReset: true, decisions: [launch(1, 0.1)] });
    store.applyDecisions({ isReset: false, decisions: [launch(2, 0.1)] });
    expect(store.decisions.map(({ at }) => at)).toEqual([1, 2]);
    store.applyDecisions({ isReset: true, decisions: [launch(3, 0.1)] });
    expect(store.decisions.map(({ at }) => at)).toEqual([3]);
  });
});

const launch = (at: number, hourly: number): Decision => ({
  kind: 'launch',
  id: `${at}`,
  at,
  summary: '',
  isReplayable: false,
  nodeClaim: 'c',
  nodePool: 'default',
  capacityType: 'spot',
  hourly,
});

describe('cost', () => {
  it('sums nodes with a price and counts those without, except before their instance exists', () => {
    const { price, ...unpriced } = node('n2');
    const cost = costOf([node('n1'), unpriced, { ...unpriced, id: 'x', phase: 'launching' }]);
    expect(cost).toMatchObject({ hourly: 0.1, onDemandHourly: 0.3, unpriced: 1 });
    expect(spotShare(cost)).toBe(1);
    expect(spotShare(costOf([]))).toBe(0);
  });

  it('keeps the shape of a long history in bounded space', () => {
    const history = new CostHistory();
    for (let index = 0; index < 20_000; index += 1) history.add(index * 2_000, costOf([node('n1')]));
    expect(history.samples.length).toBeLessThanOrEqual(1_800);
    expect(history.samples[0]?.at).toBe(0);
    expect(history.samples.at(-1)?.at).toBe(19_999 * 2_000);
  });

  it('is estimated backwards from decisions', () => {
    const first = {
      at: 100,
      hourly: 0.3,
      byPool: new Map([['default', 0.3]]),
      byCapacityType: new Map([['spot', 0.3]]),
    };
    const past = pastFromDecisions(first, [launch(10, 0.1), launch(50, 0.2), launch(200, 9)]);
    expect(past.map(({ at, hourly }) => [at, Number(hourly.toFixed(6))])).toEqual([
      [9, 0],
      [10, 0.1],
      [49, 0.1],
      [50, 0.3],
    ]);
  });
});
