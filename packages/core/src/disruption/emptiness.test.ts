import { pendingPod } from '@karpenter/testkit/cluster-objects';
import {
  type ClusterParts,
  disruptableCluster,
  disruptedPool,
  machine,
  residents,
} from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import {
  BudgetLedger,
  CandidateJudge,
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
  const snapshot = disruptableCluster({ machines: [], types, ...parts });
  const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
  return deleteEmpty(candidates, new BudgetLedger(poolBudgets(snapshot, 'Empty')));
}

const goingOf = (parts: Partial<ClusterParts>) =>
  emptiness(parts).command?.candidates.map(({ name }) => name) ?? [];

describe('emptiness', () => {
  it('takes all empty nodes in one command, without asking where pods would go', () => {
    const machines = [machine('a'), machine('b'), machine('c', { pods: residents(1, 'c') })];
    const { command } = emptiness({ machines, pods: [pendingPod('w')] });
    expect(command).toMatchObject({ reason: 'Empty', consolidationType: 'empty', replacements: [] });
    expect(command && commandText(command, 'id')).toBe(
      'Empty/id: delete: nodepools=[default]: [a, b] (savings: $0.80)',
    );
  });

  it('takes those first that save most for their disturbance, as far as budgets go', () => {
    const machines = [machine('a', { type: 'small', cpu: '2' }), machine('b'), machine('c')];
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '2' }] } })];
    expect(goingOf({ machines, pools })).toEqual(['b', 'c']);
  });

  it('counts a node as empty on which only DaemonSet pods and pods of very low priority run', () => {
    const pods = [
      ...residents(1, 'a', { owner: 'DaemonSet/d' }),
      ...residents(1, 'a', { priority: -(2 ** 26) }).map((pod) => ({
        ...pod,
        metadata: { ...pod.metadata, name: 'low', uid: 'low' },
      })),
    ];
    expect(goingOf({ machines: [machine('a', { pods })] })).toEqual(['a']);
  });

  it('leaves nodes of static pools alone, silently', () => {
    const pools = [disruptedPool('default', { replicas: 1 })];
    expect(emptiness({ machines: [machine('a')], pools })).toMatchObject({ eligible: [], told: [] });
  });

  it('tells nodes of pools that never consolidate', () => {
    const pools = [disruptedPool('default', { disruption: { consolidateAfter: 'Never' } })];
    expect(emptiness({ machines: [machine('a')], pools }).told).toMatchObject([
      { message: 'NodePool "default" has consolidation disabled' },
    ]);
  });

  it('leaves nodes alone that are not Consolidatable yet, silently', () => {
    const { nodeClaim, ...rest } = machine('a');
    const conditions = nodeClaim.status?.conditions?.filter(({ type }) => type !== 'Consolidatable') ?? [];
    const restless = { ...rest, nodeClaim: { ...nodeClaim, status: { ...nodeClaim.status, conditions } } };
    expect(emptiness({ machines: [restless] })).toMatchObject({ eligible: [], told: [] });
  });

  it('is held by the budget for that reason, though only pods of very low priority keep the node from being bare', () => {
    const pods = residents(1, 'a', { priority: -(2 ** 26) });
    const budgets = [{ nodes: '0', reasons: ['Empty' as const] }];
    const pools = [disruptedPool('default', { disruption: { budgets } })];
    expect(goingOf({ machines: [machine('a', { pods })], pools })).toEqual([]);
  });

  it('goes on under the policies that only take empty nodes or weigh savings', () => {
    for (const consolidationPolicy of ['WhenEmpty', 'Balanced'] as const) {
      const pools = [disruptedPool('default', { disruption: { consolidationPolicy } })];
      expect(goingOf({ machines: [machine('a')], pools })).toEqual(['a']);
    }
  });

  it('keeps nodes on which a buffer has room, and tells them', () => {
    const facts = [{ type: 'bufferPodsPlaced' as const, byNode: new Map([['cloud://a', 2]]) }];
    const { told, command } = emptiness({ machines: [machine('a')], facts });
    expect(command).toBeUndefined();
    expect(told).toMatchObject([{ message: 'Node "a" has buffer pods' }]);
  });
});

describe('empty nodes after waiting', () => {
  const before = { machines: [machine('a'), machine('b')] };

  function validated(now: Partial<ClusterParts>) {
    const { command } = emptiness(before);
    if (command === undefined) throw new Error('nothing to validate');
    const snapshot = disruptableCluster({ machines: [], types, ...now });
    const context = { snapshot, queued: new Set<string>() };
    const { command: valid, dropped } = validateEmptiness(command, {
      ...context,
      judge: new CandidateJudge(context),
      budgets: poolBudgets(snapshot, 'Empty'),
    });
    return { names: valid?.candidates.map(({ name }) => name), dropped };
  }

  it('go as far as they are still empty', () => {
    const machines = [machine('a'), machine('b', { pods: residents(1, 'b') })];
    expect(validated({ machines })).toEqual({ names: ['a'], dropped: 0 });
  });

  it('stay where pods are expected, and are counted', () => {
    const facts = [{ type: 'nominated' as const, nodes: ['cloud://b'], until: Number.MAX_SAFE_INTEGER }];
    expect(validated({ ...before, facts })).toEqual({ names: ['a'], dropped: 1 });
  });

  it('stay where a budget has shrunk, and are counted', () => {
    const pools = [disruptedPool('default', { disruption: { budgets: [{ nodes: '1' }] } })];
    expect(validated({ ...before, pools })).toEqual({ names: ['a'], dropped: 1 });
  });

  it('are all counted when none is a candidate any more', () => {
    const machines = ['a', 'b'].map((name) => machine(name, { pods: residents(1, name) }));
    expect(validated({ machines })).toEqual({ names: undefined, dropped: 2 });
  });
});
