import type { NodePool } from '@karpenter/core/api';
import { disruptableCluster, disruptedPool, machine } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { allowedDisruptions, BudgetLedger, poolBudgets, unlimitedDisruptions } from './index.ts';

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

  it('holds for the reasons it lists, for all when it lists none, and for nothing when the list is empty', () => {
    expect(allowed([{ nodes: '0', reasons: ['Drifted'] }])).toBe(unlimitedDisruptions);
    expect(allowed([{ nodes: '0', reasons: ['Drifted', 'Empty'] }])).toBe(0);
    expect(allowed([{ nodes: '0' }])).toBe(0);
    expect(allowed([{ nodes: '0', reasons: [] }])).toBe(unlimitedDisruptions);
  });

  it('yields to the strictest that holds beside it', () => {
    expect(allowed([{ nodes: '50%' }, { nodes: '2' }, { nodes: '80%' }])).toBe(2);
  });

  it('that is not there limits nothing', () => {
    expect(allowed([])).toBe(unlimitedDisruptions);
  });

  it('with a schedule holds from each hit for its duration, in UTC', () => {
    const budgets: Budgets = [{ nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' }];
    const at = (hour: number, day = 7) => allowed(budgets, 10, Date.UTC(2026, 0, day, hour));
    expect([at(8), at(9), at(16), at(17)]).toEqual([unlimitedDisruptions, 0, 0, unlimitedDisruptions]);
    expect(at(12, 10)).toBe(unlimitedDisruptions);
  });

  it('whose schedule cannot be read stops every reason of the pool', () => {
    const broken: Budgets = [
      { nodes: '5' },
      { nodes: '5', schedule: '0 9 * * 7', duration: '8h', reasons: ['Drifted'] },
    ];
    expect(allowed(broken)).toBe(0);
    expect(allowed([{ nodes: '5', schedule: '0 9 L * *', duration: '8h' }])).toBe(0);
  });

  it('whose words look like a schedule to the API server but are none stops the pool too', () => {
    expect(allowed([{ nodes: '5', schedule: '@daily extra', duration: '8h' }])).toBe(0);
  });

  it('understands the words that cron knows for common schedules', () => {
    expect(allowed([{ nodes: '0', schedule: '@daily', duration: '13h' }])).toBe(0);
    expect(allowed([{ nodes: '0', schedule: '@daily', duration: '11h' }])).toBe(unlimitedDisruptions);
  });
});

describe('what is left of a budget', () => {
  const types = [instanceType('large', { price: 1 })];
  const budgetOf = (machines: Parameters<typeof disruptableCluster>[0]['machines'], nodes = '50%') =>
    poolBudgets(
      disruptableCluster({
        machines,
        types,
        pools: [disruptedPool('default', { disruption: { budgets: [{ nodes }] } })],
        facts: [{ type: 'markedForDeletion', nodes: ['cloud://marked'] }],
      }),
      'Underutilized',
    ).get('default');

  it('counts nodes that are up', () => {
    expect(budgetOf([machine('a'), machine('b'), machine('c')])).toMatchObject({
      total: 3,
      allowed: 2,
      consuming: 0,
      remaining: 2,
    });
  });

  it('is less by nodes that are not ready or going', () => {
    const machines = [machine('a'), machine('b', { isReady: false }), machine('marked')];
    expect(budgetOf(machines)).toMatchObject({ total: 3, allowed: 2, consuming: 2, remaining: 0 });
  });

  it('does not count nodes that are not initialized, nor those whose instance is ending', () => {
    const machines = [
      machine('a'),
      machine('b', { isInitialized: false }),
      machine('c', { conditions: ['InstanceTerminating'] }),
    ];
    expect(budgetOf(machines)).toMatchObject({ total: 1, allowed: 1, consuming: 0 });
  });

  it('does not count nodes without a NodeClaim, whatever pool they say they are of', () => {
    const { node } = machine('foreign');
    const snapshot = disruptableCluster({ machines: [machine('a')], types, nodes: [node] });
    expect(poolBudgets(snapshot, 'Empty').get('default')).toMatchObject({ total: 1, consuming: 0 });
  });

  it('is never negative', () => {
    const machines = [machine('a', { isReady: false }), machine('b', { isReady: false })];
    expect(budgetOf(machines, '1')).toMatchObject({ consuming: 2, remaining: 0 });
  });
});

describe('a ledger', () => {
  const ledger = () => {
    const nodePool = disruptedPool('a');
    const remaining = { nodePool, total: 9, allowed: 2, consuming: 0, remaining: 2, isUnreadable: false };
    return new BudgetLedger(new Map([['a', remaining]]));
  };

  it('gives no more than there is, and remembers that it refused', () => {
    const left = ledger();
    expect(left.allows(['a', 'a'])).toBe(true);
    left.take(['a']);
    expect(left.hasRefused).toBe(false);
    expect(left.allows(['a', 'a'])).toBe(false);
    expect(left.allows(['a'])).toBe(true);
    expect(left.hasRefused).toBe(true);
  });

  it('gives nothing of pools that it does not know', () => {
    expect(ledger().allows(['b'])).toBe(false);
  });
});
