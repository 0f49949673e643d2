import type { NodePool } from '@karpenter/core/api';
import { disruptableCluster, disruptedPool, managedNode } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import {
  allowedDisruptions,
  BudgetLedger,
  budgetsAhead,
  type PoolBudget,
  poolBudgets,
  unlimitedDisruptions,
} from '../index.ts';

type Budgets = NonNullable<NodePool['spec']['disruption']['budgets']>;

const wednesdayNoon = Date.UTC(2026, 0, 7, 12);
const allowed = (budgets: Budgets, total = 10, at = wednesdayNoon) =>
  allowedDisruptions(disruptedPool('p', { disruption: { budgets } }), 'Empty', total, at);

describe('a budget', () => {
  it('allows a number of nodes', () => {
    expect(allowed([{ nodes: '3' }])).toBe(3);
  });

  it('allows a percentage of the pool, rounded up', () => {
    expect(allowed([{ nodes: '10%' }], 10)).toBe(1);
    expect(allowed([{ nodes: '10%' }], 11)).toBe(2);
    expect(allowed([{ nodes: '10%' }], 0)).toBe(0);
  });

  it('applies to the reasons it lists, to all when unset, and to none when the list is empty', () => {
    expect(allowed([{ nodes: '0', reasons: ['Drifted'] }])).toBe(unlimitedDisruptions);
    expect(allowed([{ nodes: '0', reasons: ['Drifted', 'Empty'] }])).toBe(0);
    expect(allowed([{ nodes: '0' }])).toBe(0);
    expect(allowed([{ nodes: '0', reasons: [] }])).toBe(unlimitedDisruptions);
  });

  it('is overridden by a stricter active one', () => {
    expect(allowed([{ nodes: '50%' }, { nodes: '2' }, { nodes: '80%' }])).toBe(2);
  });

  it('limits nothing when the list of budgets is empty', () => {
    expect(allowed([])).toBe(unlimitedDisruptions);
  });

  it('with a schedule is active from each hit for its duration, in UTC', () => {
    const budgets: Budgets = [{ nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' }];
    const at = (hour: number, day = 7) => allowed(budgets, 10, Date.UTC(2026, 0, day, hour));
    expect([at(8), at(9), at(16), at(17)]).toEqual([unlimitedDisruptions, 0, 0, unlimitedDisruptions]);
    expect(at(12, 10)).toBe(unlimitedDisruptions);
  });

  it('with an invalid schedule blocks every reason of the pool', () => {
    const broken: Budgets = [
      { nodes: '5' },
      { nodes: '5', schedule: '0 9 * * 7', duration: '8h', reasons: ['Drifted'] },
    ];
    expect(allowed(broken)).toBe(0);
    expect(allowed([{ nodes: '5', schedule: '0 9 L * *', duration: '8h' }])).toBe(0);
  });

  it('with a schedule that the API server accepts but cron does not blocks the pool too', () => {
    expect(allowed([{ nodes: '5', schedule: '@daily extra', duration: '8h' }])).toBe(0);
  });

  it('accepts the cron macros for common schedules', () => {
    expect(allowed([{ nodes: '0', schedule: '@daily', duration: '13h' }])).toBe(0);
    expect(allowed([{ nodes: '0', schedule: '@daily', duration: '11h' }])).toBe(unlimitedDisruptions);
  });
});

describe('the remaining disruptions', () => {
  const types = [instanceType('large', { price: 1 })];
  const budgetOf = (managedNodes: Parameters<typeof disruptableCluster>[0]['managedNodes'], nodes = '50%') =>
    poolBudgets(
      disruptableCluster({
        managedNodes,
        types,
        pools: [disruptedPool('default', { disruption: { budgets: [{ nodes }] } })],
        facts: [{ type: 'markedForDeletion', nodes: ['cloud://marked'] }],
      }),
      'Underutilized',
    ).get('default');

  it('are based on initialized nodes', () => {
    expect(budgetOf([managedNode('a'), managedNode('b'), managedNode('c')])).toMatchObject({
      total: 3,
      allowed: 2,
      consuming: 0,
      leaving: 0,
      remaining: 2,
    });
  });

  it('are reduced by nodes that are not ready or marked for deletion', () => {
    const managedNodes = [managedNode('a'), managedNode('b', { isReady: false }), managedNode('marked')];
    expect(budgetOf(managedNodes)).toMatchObject({ total: 3, allowed: 2, consuming: 2, remaining: 0 });
  });

  it('are reduced by Nodes that a user has deleted, before their NodeClaims are', () => {
    const { node, ...rest } = managedNode('b');
    const metadata = { ...node?.metadata, name: 'b', deletionTimestamp: '2026-01-07T12:00:00Z' };
    const managedNodes = [managedNode('a'), { ...rest, node: { ...node, metadata } }];
    expect(budgetOf(managedNodes)).toMatchObject({ total: 2, consuming: 1, leaving: 1, remaining: 0 });
  });

  it('ignore nodes that are not initialized or whose instance is terminating', () => {
    const managedNodes = [
      managedNode('a'),
      managedNode('b', { isInitialized: false }),
      managedNode('c', { conditions: ['InstanceTerminating'] }),
    ];
    expect(budgetOf(managedNodes)).toMatchObject({ total: 1, allowed: 1, consuming: 0 });
  });

  it('ignore nodes without a NodeClaim, whatever NodePool label they carry', () => {
    const { node } = managedNode('foreign');
    const snapshot = disruptableCluster({ managedNodes: [managedNode('a')], types, nodes: [node] });
    expect(poolBudgets(snapshot, 'Empty').get('default')).toMatchObject({ total: 1, consuming: 0 });
  });

  it('are never negative', () => {
    const managedNodes = [managedNode('a', { isReady: false }), managedNode('b', { isReady: false })];
    expect(budgetOf(managedNodes, '1')).toMatchObject({ consuming: 2, remaining: 0 });
  });
});

const budgetsOf = (parts: Partial<PoolBudget> = {}): ReadonlyMap<string, PoolBudget> => {
  const nodePool = disruptedPool('a');
  const budget = { total: 9, allowed: 2, consuming: 0, leaving: 0, remaining: 2, isUnreadable: false };
  return new Map([['a', { nodePool, ...budget, ...parts }]]);
};

describe('a budget ledger', () => {
  it('allows no more than the budget', () => {
    const left = new BudgetLedger(budgetsOf());
    expect(left.allows(['a', 'a'])).toBe(true);
    left.take(['a']);
    expect(left.allows(['a', 'a'])).toBe(false);
    expect(left.allows(['a'])).toBe(true);
  });

  it('allows nothing for unknown pools', () => {
    const left = new BudgetLedger(budgetsOf());
    expect([left.allows(['b']), left.mayAllow(['b']), left.most('b')]).toEqual([false, false, 0]);
  });

  it('counts nodes that another ledger took for another reason', () => {
    const spent = new Map<string, number>();
    new BudgetLedger(budgetsOf(), spent).take(['a']);
    expect(new BudgetLedger(budgetsOf(), spent).left('a')).toBe(1);
  });

  it('distinguishes what may be allowed later from what never is', () => {
    const left = new BudgetLedger(budgetsOf({ consuming: 1, leaving: 1, remaining: 1 }));
    expect([left.allows(['a', 'a']), left.mayAllow(['a', 'a'])]).toEqual([false, true]);
    expect(left.mayAllow(['a', 'a', 'a'])).toBe(false);
  });
});

describe('budgets for commands that wait', () => {
  const ahead = (parts: Partial<PoolBudget>) => new BudgetLedger(budgetsAhead(budgetsOf(parts)));

  it('have room for commands that run after the current ones', () => {
    expect(ahead({}).left('a')).toBe(10);
    expect(ahead({ consuming: 2, leaving: 2, remaining: 0 }).left('a')).toBe(8);
  });

  it('never have room for a command too large to run at once', () => {
    expect(ahead({}).most('a')).toBe(2);
    expect(ahead({}).allows(['a', 'a', 'a'])).toBe(false);
  });

  it('expect nothing from nodes that are not ready, nor from closed budgets', () => {
    expect(ahead({ consuming: 1, remaining: 1 }).left('a')).toBe(5);
    expect(ahead({ consuming: 2, remaining: 0 }).left('a')).toBe(0);
    expect(ahead({ allowed: 0, remaining: 0 }).left('a')).toBe(0);
  });
});
