import { describe, expect, it } from 'vitest';
import { killControllers, type Outcome } from './killed-controllers.ts';
import { fatalWrites } from './life.ts';
import { budget } from './restless-cluster.ts';

/** 15 of them make 300 kills; fewer by default, since each takes some ten seconds. */
const runs = Number(process.env['CRASH_RUNS'] ?? 4);
const firstSeed = Number(process.env['CRASH_FIRST_SEED'] ?? 1);
const killsPerRun = 20;

describe('controllers that are killed again and again, while calls fail and the cluster changes', () => {
  const outcomes: Outcome[] = [];

  it.each(Array.from({ length: runs }, (_, index) => index + firstSeed))(
    'leave nothing behind, launch nothing twice and keep to budgets (seed %i)',
    {
      timeout: 900_000,
    },
    async (seed) => {
      const outcome = await killControllers(seed, killsPerRun);
      outcomes.push(outcome);
      expect(outcome).toMatchObject({ violations: [], leftovers: [] });
    },
  );

  it('were killed at launches, at marks and evictions, and at deletions', () => {
    const writes = new Set(outcomes.flatMap(({ deaths }) => deaths));
    expect([...writes]).toEqual(expect.arrayContaining([...fatalWrites]));
  });

  it('used their budgets up, so that one node more would have been too many', () => {
    expect(Math.max(...outcomes.map(({ mostDisrupted }) => mostDisrupted))).toBe(budget);
  });
});
