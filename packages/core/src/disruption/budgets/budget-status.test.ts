import type { NodePool } from '@karpenter/core/api';
import { disruptedPool } from '@karpenter/testkit/disruptable-clusters';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedDisruptions, budgetStatuses, unlimitedDisruptions } from '../index.ts';

type Budgets = NonNullable<NodePool['spec']['disruption']['budgets']>;

const wednesdayNoon = Date.UTC(2026, 0, 7, 12);
const pool = (budgets: Budgets) => disruptedPool('p', { disruption: { budgets } });
const statuses = (budgets: Budgets, total = 10, at = wednesdayNoon) =>
  budgetStatuses(pool(budgets), total, at).map(({ budget: _budget, ...status }) => status);

describe('the status of a budget', () => {
  it('without a schedule is active and never changes', () => {
    expect(statuses([{ nodes: '10%' }, { nodes: '3' }], 11)).toEqual([
      { isActive: true, allowed: 2 },
      { isActive: true, allowed: 3 },
    ]);
  });

  it('with a schedule says when its window closes or opens', () => {
    const office: Budgets = [{ nodes: '0', schedule: '0 9 * * mon-fri', duration: '8h' }];
    expect(statuses(office)).toEqual([{ isActive: true, allowed: 0, changesAt: Date.UTC(2026, 0, 7, 17) }]);
    expect(statuses(office, 10, Date.UTC(2026, 0, 9, 18))).toEqual([
      { isActive: false, changesAt: Date.UTC(2026, 0, 12, 9) },
    ]);
  });

  it('takes windows that touch or overlap for one', () => {
    const weekdays: Budgets = [{ nodes: '1', schedule: '0 0 * * mon-fri', duration: '24h' }];
    expect(statuses(weekdays)).toEqual([{ isActive: true, allowed: 1, changesAt: Date.UTC(2026, 0, 10) }]);
    const always: Budgets = [{ nodes: '1', schedule: '@hourly', duration: '2h' }];
    expect(statuses(always)).toEqual([{ isActive: true, allowed: 1 }]);
  });

  it('allows nothing if its schedule cannot be read, and limits nothing for an empty list of reasons', () => {
    expect(
      statuses([
        { nodes: '5', schedule: '0 9 L * *', duration: '8h' },
        { nodes: '0', reasons: [] },
      ]),
    ).toEqual([{ isActive: true, allowed: 0 }, { isActive: false }]);
  });

  it('changes exactly when it says and agrees with what the controllers allow', () => {
    const schedule = fc.constantFrom(
      '0 9 * * mon-fri',
      '*/7 3-5 1,15 * *',
      '@hourly',
      '30 22 * * 6',
      '@every 1h',
    );
    const duration = fc.constantFrom('0s', '7m', '1h', '8h', '25h', '3h20m');
    fc.assert(
      fc.property(schedule, duration, fc.integer({ min: 0, max: 40_000 }), (cron, length, minute) => {
        const budgets: Budgets = [{ nodes: '0', schedule: cron, duration: length }];
        const at = Date.UTC(2026, 0, 1) + minute * 61_000;
        const [status] = budgetStatuses(pool(budgets), 10, at);
        const limits = (time: number) =>
          allowedDisruptions(pool(budgets), 'Empty', 10, time) !== unlimitedDisruptions;
        expect(status?.isActive).toBe(limits(at));
        const { changesAt } = status ?? {};
        if (changesAt === undefined || length === '0s') return;
        expect(changesAt).toBeGreaterThan(at);
        expect([limits(changesAt - 1_000), limits(changesAt)]).toEqual([limits(at), !limits(at)]);
      }),
    );
  });
});
