import { seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { killControllers, type Outcome } from './killed-controllers.ts';
import { fatalWrites } from './life.ts';
import { budget } from './restless-cluster.ts';

const killsPerRun = 20;

describe('controllers that are killed repeatedly while calls fail and the cluster changes', () => {
  const outcomes: Outcome[] = [];

  it.each(seeds({ quick: 2, full: 4 }))(
    'leave nothing behind, launch nothing twice and respect budgets (seed %i)',
    {
      timeout: 900_000,
    },
    async (seed) => {
      const outcome = await killControllers(seed, killsPerRun);
      outcomes.push(outcome);
      expect(outcome).toMatchObject({ violations: [], unrecovered: [] });
    },
  );

  it('were killed at every kind of write', () => {
    const writes = new Set(outcomes.flatMap(({ deaths }) => deaths));
    expect([...writes]).toEqual(expect.arrayContaining([...fatalWrites]));
  });

  it('used their whole budget, so that one more node would have violated it', () => {
    expect(Math.max(...outcomes.map(({ mostDisrupted }) => mostDisrupted))).toBe(budget);
  });
});
