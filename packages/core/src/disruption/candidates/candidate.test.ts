import { boundPod, budget } from '@karpenter/testkit/cluster-objects';
import {
  type ClusterParts,
  clusterTime,
  disruptableCluster,
  disruptedPool,
  type ManagedNode,
  managedNode,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { formatTimestamp } from '../../api/index.ts';
import { type DisruptionClass, findCandidates, isEmptyCandidate } from '../index.ts';

const types = [instanceType('large', { cpu: '8', price: 0.4, capacityTypes: ['on-demand', 'spot'] })];
const doNotDisrupt = { 'karpenter.sh/do-not-disrupt': 'true' };

function judged(
  made: ManagedNode,
  parts: Partial<ClusterParts> = {},
  {
    queued = [],
    as = 'graceful',
  }: { readonly queued?: readonly string[]; readonly as?: DisruptionClass } = {},
) {
  const snapshot = disruptableCluster({ managedNodes: [made], types, ...parts });
  return findCandidates({ snapshot, queued: new Set(queued) }, as);
}

const blockerOf = (...args: Parameters<typeof judged>) => judged(...args).blocked[0]?.blocker;
const podOn = (parts: Parameters<typeof boundPod>[2]) =>
  managedNode('n', { pods: [boundPod('p', 'n', parts)] });

describe('a node is not a candidate', () => {
  it('while it belongs to a queued command, without an event', () => {
    expect(blockerOf(managedNode('n'), {}, { queued: ['cloud://n'] })).toEqual({ cause: 'queued' });
  });

  it('without a NodeClaim, without an event', () => {
    const snapshot = disruptableCluster({ managedNodes: [], types });
    const { node } = managedNode('n');
    const { blocked } = findCandidates(
      {
        snapshot: {
          ...snapshot,
          nodeStates: disruptableCluster({ managedNodes: [managedNode('n')], types }).nodeStates.map(
            (state) => ({
              ...state,
              node,
              nodeClaim: undefined,
            }),
          ),
        },
        queued: new Set(),
      },
      'graceful',
    );
    expect(blocked[0]?.blocker).toEqual({ cause: 'no-node-claim' });
  });

  it('while its NodeClaim has no Node', () => {
    const { nodeClaim } = managedNode('n');
    const snapshot = disruptableCluster({ managedNodes: [managedNode('n')], types });
    const nodeStates = snapshot.nodeStates.map((state) => ({ ...state, node: undefined, nodeClaim }));
    const { blocked } = findCandidates(
      { snapshot: { ...snapshot, nodeStates }, queued: new Set() },
      'graceful',
    );
    expect(blocked[0]?.blocker.message).toBe('Nodeclaim does not have an associated node');
  });

  it('before it is initialized', () => {
    expect(blockerOf(managedNode('n', { isInitialized: false }))?.message).toBe("Node isn't initialized");
  });

  describe('while it is starting', () => {
    const startedFor = (ms: number) => {
      const made = managedNode('n', { isInitialized: false });
      const creationTimestamp = formatTimestamp(clusterTime - ms);
      const metadata = { ...made.nodeClaim.metadata, creationTimestamp };
      return { ...made, nodeClaim: { ...made.nodeClaim, metadata } };
    };

    it('and has a cause but no message, so that no event is published', () => {
      expect(blockerOf(startedFor(1000))).toEqual({ cause: 'not-initialized' });
      expect(blockerOf(startedFor(899_000))).toEqual({ cause: 'not-initialized' });
    });

    it('and has a message once the registration timeout has passed', () => {
      expect(blockerOf(startedFor(900_000))?.message).toBe("Node isn't initialized");
    });
  });

  it('when it is marked for deletion, or its Node or NodeClaim is being deleted', () => {
    const message = 'Node is deleting or marked for deletion';
    const facts = [{ type: 'markedForDeletion' as const, nodes: ['cloud://n'] }];
    expect(blockerOf(managedNode('n'), { facts })?.message).toBe(message);
    const { node, nodeClaim, pods } = managedNode('n');
    const deletionTimestamp = '2026-01-09T00:00:00Z';
    const goingNode = { ...node, metadata: { ...node.metadata, deletionTimestamp } };
    expect(blockerOf({ node: goingNode, nodeClaim, pods })?.message).toBe(message);
    const goingClaim = { ...nodeClaim, metadata: { ...nodeClaim.metadata, deletionTimestamp } };
    expect(blockerOf({ node, nodeClaim: goingClaim, pods })?.message).toBe(message);
  });

  it('while it is nominated', () => {
    const facts = [{ type: 'nominated' as const, nodes: ['cloud://n'], until: clusterTime + 1 }];
    expect(blockerOf(managedNode('n'), { facts })?.message).toBe('Node is nominated for a pending pod');
    expect(judged(managedNode('n'), { facts, at: clusterTime + 1 }).candidates).toHaveLength(1);
  });

  it('with the do-not-disrupt annotation, for which only "true" counts on nodes', () => {
    expect(blockerOf(managedNode('n', { annotations: doNotDisrupt }))?.message).toBe(
      'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation',
    );
    const asDuration = managedNode('n', { annotations: { 'karpenter.sh/do-not-disrupt': '1h' } });
    expect(judged(asDuration).candidates).toHaveLength(1);
  });

  it('with the annotation on the Node, while one on the NodeClaim is ignored', () => {
    expect(judged(managedNode('n', { claimAnnotations: doNotDisrupt })).candidates).toHaveLength(1);
  });

  it('without the NodePool label', () => {
    expect(blockerOf(managedNode('n', { labels: { 'karpenter.sh/nodepool': '' } }))?.message).toBe(
      "Node doesn't have required label (label=karpenter.sh/nodepool)",
    );
  });

  it('when its NodePool is gone or has no instance types', () => {
    expect(blockerOf(managedNode('n', { pool: 'gone' }))?.message).toBe('NodePool not found (NodePool=gone)');
    expect(blockerOf(managedNode('n'), { types: [] })?.message).toBe('NodePool not found (NodePool=default)');
  });

  it('while a do-not-disrupt pod runs on it, even of a DaemonSet or a static one', () => {
    for (const owner of ['ReplicaSet/r', 'DaemonSet/d', 'Node/n']) {
      expect(blockerOf(podOn({ owner, annotations: doNotDisrupt }))?.message).toBe(
        'Pod has "karpenter.sh/do-not-disrupt" annotation (Pod=default/p)',
      );
    }
  });

  it('until the do-not-disrupt duration of a pod has passed', () => {
    const annotations = { 'karpenter.sh/do-not-disrupt': '1h' };
    const startTime = new Date(clusterTime - 30 * 60_000).toISOString();
    const made = podOn({ annotations, startTime });
    expect(blockerOf(made)?.cause).toBe('pod-annotation');
    expect(judged(made, { at: clusterTime + 31 * 60_000 }).candidates).toHaveLength(1);
  });

  it('when several PodDisruptionBudgets select one pod', () => {
    expect(blockerOf(podOn({}), { budgets: [budget('a'), budget('b')] })?.message).toBe(
      'Eviction does not support multiple PDBs (PodDisruptionBudget(s)=[default/a default/b])',
    );
  });

  it('while a PodDisruptionBudget allows no disruption', () => {
    const closed = { ...budget('a'), status: { disruptionsAllowed: 0 } };
    expect(blockerOf(podOn({}), { budgets: [closed] })?.message).toBe(
      'Pdb prevents pod evictions (PodDisruptionBudget=[default/a])',
    );
    const open = { ...budget('a'), status: { disruptionsAllowed: 1 } };
    expect(judged(podOn({}), { budgets: [open] }).candidates).toHaveLength(1);
  });

  it('for such a budget of a DaemonSet pod, but not of a static pod or one that tolerates the disrupted taint', () => {
    const budgets = [{ ...budget('a'), status: { disruptionsAllowed: 0 } }];
    expect(blockerOf(podOn({ owner: 'DaemonSet/d' }), { budgets })?.cause).toBe('exhausted-pdb');
    expect(judged(podOn({ owner: 'Node/n' }), { budgets }).candidates).toHaveLength(1);
    const tolerations = [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }];
    expect(judged(podOn({ tolerations }), { budgets }).candidates).toHaveLength(1);
  });

  it('unless the pod is not ready and the budget always allows evicting such pods', () => {
    const lenient = {
      ...budget('a', { unhealthyPodEvictionPolicy: 'AlwaysAllow' }),
      status: { disruptionsAllowed: 0 },
    };
    expect(judged(podOn({ isReady: false }), { budgets: [lenient] }).candidates).toHaveLength(1);
    expect(blockerOf(podOn({ isReady: true }), { budgets: [lenient] })?.cause).toBe('exhausted-pdb');
  });
});

describe('of several blockers', () => {
  const nominated = { type: 'nominated' as const, nodes: ['cloud://n'], until: clusterTime + 1 };
  const marked = { type: 'markedForDeletion' as const, nodes: ['cloud://n'] };
  const pods = [boundPod('p', 'n', { owner: 'ReplicaSet/r', annotations: doNotDisrupt })];
  const held = { annotations: doNotDisrupt, pods, pool: 'gone' };
  const budgets = [{ ...budget('a'), status: { disruptionsAllowed: 0 } }];
  const all = [marked, nominated];

  it('the first in the order of the checks is reported', () => {
    const queued = { queued: ['cloud://n'] };
    const unready = managedNode('n', { ...held, isInitialized: false });
    const unlabelled = { ...held, annotations: {}, labels: { 'karpenter.sh/nodepool': '' } };
    const pooled = { ...held, annotations: {}, pool: 'default' };
    const causes = [
      blockerOf(unready, { facts: all, budgets }, queued),
      blockerOf(unready, { facts: all, budgets }),
      blockerOf(managedNode('n', held), { facts: all, budgets }),
      blockerOf(managedNode('n', held), { facts: [nominated], budgets }),
      blockerOf(managedNode('n', held), { budgets }),
      blockerOf(managedNode('n', unlabelled), { budgets }),
      blockerOf(managedNode('n', { ...held, annotations: {} }), { budgets }),
      blockerOf(managedNode('n', pooled), { budgets: [...budgets, budget('b')] }),
      blockerOf(podOn({}), { budgets: [...budgets, budget('b')] }),
      blockerOf(podOn({}), { budgets }),
    ].map((blocker) => blocker?.cause);
    expect(causes).toEqual([
      'queued',
      'not-initialized',
      'deleting',
      'nominated',
      'node-annotation',
      'no-node-pool-label',
      'no-node-pool',
      'pod-annotation',
      'multiple-pdbs',
      'exhausted-pdb',
    ]);
  });
});

describe('protected pods', () => {
  const held = { pods: [boundPod('p', 'n', { annotations: doNotDisrupt })] };

  it('are ignored by eventual disruption of a NodeClaim with a terminationGracePeriod, and only then', () => {
    const ending = managedNode('n', { ...held, terminationGracePeriod: '1h' });
    expect(judged(ending, {}, { as: 'eventual' }).candidates).toHaveLength(1);
    expect(judged(ending, {}, { as: 'graceful' }).candidates).toEqual([]);
    expect(judged(managedNode('n', held), {}, { as: 'eventual' }).candidates).toEqual([]);
  });

  it('are not among the pods to move', () => {
    const ending = managedNode('n', { ...held, terminationGracePeriod: '1h' });
    const [candidate] = judged(ending, {}, { as: 'eventual' }).candidates;
    expect(candidate?.reschedulable).toHaveLength(1);
    expect(candidate?.movable).toEqual([]);
  });
});

describe('a node is a candidate', () => {
  it('even when its NodePool is being deleted or not ready', () => {
    const deleting = disruptedPool('default', { deletionTimestamp: '2026-01-09T00:00:00Z' });
    expect(judged(managedNode('n'), { pools: [deleting] }).candidates).toHaveLength(1);
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const notReady = {
      type: 'Ready',
      status: 'False' as const,
      reason: 'x',
      message: '',
      lastTransitionTime,
    };
    const unready = disruptedPool('default', { conditions: [notReady] });
    expect(judged(managedNode('n'), { pools: [unready] }).candidates).toHaveLength(1);
  });

  it('even when its type, zone or capacity type is unknown, and then has price 0', () => {
    const [candidate] = judged(managedNode('n', { type: 'unknown' })).candidates;
    expect(candidate).toMatchObject({ instanceType: undefined, price: 0 });
    for (const label of ['topology.kubernetes.io/zone', 'karpenter.sh/capacity-type']) {
      const { node, ...rest } = managedNode('n');
      const { [label]: _, ...labels } = node.metadata.labels ?? {};
      const bare = { ...rest, node: { ...node, metadata: { ...node.metadata, labels } } };
      expect(judged(bare).candidates).toMatchObject([{ price: 0 }]);
    }
  });
});

describe('the price of a candidate', () => {
  it('is that of its offering, available or not', () => {
    const gone = [
      instanceType('large', {
        price: 0.4,
        spotPrice: 0.1,
        capacityTypes: ['on-demand', 'spot'],
        unavailable: ['b/spot'],
      }),
    ];
    const [candidate] = judged(managedNode('n', { zone: 'b', capacityType: 'spot' }), {
      types: gone,
    }).candidates;
    expect(candidate?.price).toBe(0.1);
  });

  it('is 0 when the offering is gone or its price is not a number', () => {
    expect(judged(managedNode('n', { zone: 'z' })).candidates[0]?.price).toBe(0);
    const unpriced = [instanceType('large', { price: Number.NaN })];
    expect(judged(managedNode('n'), { types: unpriced }).candidates[0]?.price).toBe(0);
  });
});

describe('the reschedule cost', () => {
  const costOf = (parts: Parameters<typeof boundPod>[2]) => judged(podOn(parts)).candidates[0]?.cost;

  it('is 1 for the node plus 1 for each average pod', () => {
    expect(costOf({})).toBe(2);
  });

  it('grows with priority and deletion cost, up to 10 per pod', () => {
    expect(costOf({ priority: 2 ** 25 })).toBe(3);
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': String(2 ** 27) };
    expect(costOf({ annotations })).toBe(3);
    expect(costOf({ priority: 2_000_000_000 })).toBe(11);
  });

  it('ignores a deletion cost that is not a number', () => {
    expect(costOf({ annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'high' } })).toBe(2);
  });

  it('ignores DaemonSet and terminating pods, except terminating pods of StatefulSets', () => {
    expect(costOf({ owner: 'DaemonSet/d' })).toBe(1);
    expect(costOf({ owner: 'ReplicaSet/r', deleted: '2026-01-09T00:00:00Z' })).toBe(1);
    expect(costOf({ owner: 'StatefulSet/s', deleted: '2026-01-09T00:00:00Z' })).toBe(2);
  });

  it('equals that of an empty node when all pods have a very low priority', () => {
    const [candidate] = judged(podOn({ priority: -(2 ** 26) })).candidates;
    expect(candidate?.reschedulable).toHaveLength(1);
    expect(candidate !== undefined && isEmptyCandidate(candidate)).toBe(true);
  });
});
