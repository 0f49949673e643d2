import { readyPool } from '@karpenter/testkit/explained-clusters';
import { describe, expect, it } from 'vitest';
import type { Budget } from '../../api/index.ts';
import { budgetWindows, nextAllowed } from './budget-windows.ts';

const hour = 3_600_000;
const noon = Date.UTC(2026, 0, 10, 12);
const windowOf = (budget: Budget) =>
  budgetWindows(readyPool('default', { disruption: { budgets: [budget] } }), noon)[0];

describe('the window of a budget', () => {
  it.each<[string, Partial<Budget>, boolean, number | undefined]>([
    ['without a schedule never changes', {}, true, undefined],
    ['is open until it closes', { schedule: '0 10 * * *', duration: '8h' }, true, noon + 6 * hour],
    ['is closed until it opens', { schedule: '0 20 * * *', duration: '1h' }, false, noon + 8 * hour],
    [
      'goes on where the next begins before it ends',
      { schedule: '0 8-13 * * *', duration: '90m' },
      true,
      noon + 2.5 * hour,
    ],
    [
      'never closes where each begins before the last ends',
      { schedule: '* * * * *', duration: '5m' },
      true,
      undefined,
    ],
    ['cannot be read and stays', { schedule: 'nonsense', duration: '1h' }, true, undefined],
  ])('%s', (_, budget, isOpen, changesAt) => {
    const found = windowOf({ nodes: '0', ...budget });
    expect([found?.isOpen, found?.changesAt]).toEqual([isOpen, changesAt]);
  });
});

describe('the next disruption', () => {
  const at = noon;
  const nextOf = (budgets: readonly Budget[], consuming = 0) =>
    nextAllowed(readyPool('default', { disruption: { budgets } }), 'Empty', { total: 10, consuming, at });

  it('is possible now if budgets leave room', () => {
    expect(nextOf([{ nodes: '1' }])).toBe(noon);
  });

  it('waits for the last of several windows', () => {
    const first = { nodes: '0', schedule: '0 10 * * *', duration: '4h' };
    const second = { nodes: '0', schedule: '0 13 * * *', duration: '3h' };
    expect(nextOf([first, second])).toBe(noon + 4 * hour);
  });

  it('never comes where a budget of zero always holds', () => {
    expect(nextOf([{ nodes: '0' }])).toBeUndefined();
  });
});
