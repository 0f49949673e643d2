import { pendingPod } from '@karpenter/testkit/cluster-objects';
import {
  type ClusterParts,
  clusterTime,
  disruptableCluster,
  disruptedPool,
  managedNode,
  runningPods,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import {
  BudgetLedger,
  CandidateEvaluator,
  commandText,
  deleteEmpty,
  findCandidates,
  poolBudgets,
  validateEmptiness,
} from './index.ts';

const types = [
  instanceType('large', { cpu: '8', price: 0.4 }),
  instanceType('small', { cpu: '2', price: 0.1 }),
];

function emptiness(parts: Partial<ClusterParts>) {
  const snapshot = disruptableCluster({ managedNodes: [], types, ...parts });
  const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
  return deleteEmpty(candidates, new BudgetLedger(poolBudgets(snapshot, 'Empty')));
}

const goingOf = (parts: Partial<ClusterParts>) =>
  emptiness(parts).command?.candidates.map(({ name }) => name) ?? [];

describe('emptiness', () => {
  it('deletes all empty nodes in one command without simulation', () => {
    const managedNodes = [
      managedNode('a'),
      managedNode('b'),
      managedNode('c', { pods: runningPods(1, 'c') }),
    ];
    const { command } = emptiness({ managedNodes, pods: [pendingPod('w')] });
    expect(command).toMatchObject({ reason: 'Empty', consolidationType: 'empty', replacements: [] });
    expect(command && commandText(command, 'id')).toBe(
      'Empty/id: delete: nodepools=[default]: [a, b] (savings: $0.80)',
    );
  });

  it('takes the best savings ratio first, within budgets', () => {
    const managedNodes = [managedNode('a', { type: 'small', cpu: '2' }), managedNode('b'), managedNode('c')];
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '2' }] } })];
    expect(goingOf({ managedNodes, pools })).toEqual(['b', 'c']);
  });

  it('counts a node as empty with only DaemonSet pods and pods of very low priority', () => {
    const pods = [
      ...runningPods(1, 'a', { owner: 'DaemonSet/d' }),
      ...runningPods(1, 'a', { priority: -(2 ** 26) }).map((pod) => ({
        ...pod,
        metadata: { ...pod.metadata, name: 'low', uid: 'low' },
      })),
    ];
    expect(goingOf({ managedNodes: [managedNode('a', { pods })] })).toEqual(['a']);
  });

  it('ignores nodes of static NodePools, without a message', () => {
    const pools = [disruptedPool('default', { replicas: 1 })];
    expect(emptiness({ managedNodes: [managedNode('a')], pools })).toMatchObject({
      eligible: [],
      unconsolidatable: [],
    });
  });

  it('has a message for nodes of NodePools with consolidation disabled', () => {
    const pools = [disruptedPool('default', { disruption: { consolidateAfter: 'Never' } })];
    expect(emptiness({ managedNodes: [managedNode('a')], pools }).unconsolidatable).toMatchObject([
      { message: 'NodePool "default" has consolidation disabled' },
    ]);
  });

  it('ignores nodes that are not Consolidatable, without a message', () => {
    const { nodeClaim, ...rest } = managedNode('a');
    const conditions = nodeClaim.status?.conditions?.filter(({ type }) => type !== 'Consolidatable') ?? [];
    const restless = { ...rest, nodeClaim: { ...nodeClaim, status: { ...nodeClaim.status, conditions } } };
    expect(emptiness({ managedNodes: [restless] })).toMatchObject({ eligible: [], unconsolidatable: [] });
  });

  it('uses the budget for reason Empty even if pods of very low priority run on the node', () => {
    const pods = runningPods(1, 'a', { priority: -(2 ** 26) });
    const budgets = [{ nodes: '0', reasons: ['Empty' as const] }];
    const pools = [disruptedPool('default', { disruption: { budgets } })];
    expect(goingOf({ managedNodes: [managedNode('a', { pods })], pools })).toEqual([]);
  });

  it('applies with the policies WhenEmpty and Balanced', () => {
    for (const consolidationPolicy of ['WhenEmpty', 'Balanced'] as const) {
      const pools = [disruptedPool('default', { disruption: { consolidationPolicy } })];
      expect(goingOf({ managedNodes: [managedNode('a')], pools })).toEqual(['a']);
    }
  });

  it('keeps nodes with buffer pods, with a message', () => {
    const facts = [{ type: 'bufferPodsPlaced' as const, byNode: new Map([['cloud://a', 2]]) }];
    const { unconsolidatable, command } = emptiness({ managedNodes: [managedNode('a')], facts });
    expect(command).toBeUndefined();
    expect(unconsolidatable).toMatchObject([{ message: 'Node "a" has buffer pods' }]);
  });
});

describe('empty nodes at validation', () => {
  const before = { managedNodes: [managedNode('a'), managedNode('b')] };
  const long = clusterTime - 15_000;

  function validated(now: Partial<ClusterParts>) {
    const { command } = emptiness(before);
    if (command === undefined) throw new Error('nothing to validate');
    const snapshot = disruptableCluster({ managedNodes: [], types, ...now });
    const context = { snapshot, queued: new Set<string>() };
    const {
      command: valid,
      waiting,
      dropped,
    } = validateEmptiness(
      { command, since: long },
      {
        ...context,
        evaluator: new CandidateEvaluator(context),
        budgets: poolBudgets(snapshot, 'Empty'),
      },
    );
    const namesOf = (found: typeof command | undefined) => found?.candidates.map(({ name }) => name);
    return { names: namesOf(valid), later: namesOf(waiting?.command), dropped };
  }

  it('are deleted if they are still empty', () => {
    const managedNodes = [managedNode('a'), managedNode('b', { pods: runningPods(1, 'b') })];
    expect(validated({ managedNodes })).toMatchObject({ names: ['a'], dropped: 0 });
  });

  it('stay when nominated, and count as dropped', () => {
    const facts = [{ type: 'nominated' as const, nodes: ['cloud://b'], until: Number.MAX_SAFE_INTEGER }];
    expect(validated({ ...before, facts })).toMatchObject({ names: ['a'], dropped: 1 });
  });

  it('wait for each other when a budget has shrunk', () => {
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '1' }] } })];
    expect(validated({ ...before, pools })).toEqual({ names: ['a'], later: ['b'], dropped: 0 });
  });

  it('stay when a budget is closed, and count as dropped', () => {
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '0' }] } })];
    expect(validated({ ...before, pools })).toEqual({ names: undefined, later: undefined, dropped: 2 });
  });

  it('all count as dropped when none is a candidate any more', () => {
    const managedNodes = ['a', 'b'].map((name) => managedNode(name, { pods: runningPods(1, name) }));
    expect(validated({ managedNodes })).toMatchObject({ names: undefined, dropped: 2 });
  });
});
