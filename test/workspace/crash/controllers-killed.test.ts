import { describe, expect, it } from 'vitest';
import { killControllers } from './killed-controllers.ts';

const runs = Number(process.env['RUNS'] ?? 1);
const kills = Number(process.env['KILLS'] ?? 10);
const from = Number(process.env['FROM'] ?? 1);

describe('controllers that are killed', () => {
  it.each(Array.from({ length: runs }, (_, i) => i + from))('run %i', { timeout: 900_000 }, async (seed) => {
    const before = performance.now();
    const outcome = await killControllers(seed, kills);
    console.log(seed, Math.round(performance.now() - before), JSON.stringify(outcome, null, 1));
    expect({ violations: outcome.violations, leftovers: outcome.leftovers }).toEqual({
      violations: [],
      leftovers: [],
    });
  });
});
