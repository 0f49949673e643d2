import { describe, expect, it } from 'vitest';
import { stopLeaders } from './stopped-leaders.ts';

/** Few by default, since each takes some ten seconds; 30 with STOP_ROUNDS=30. */
const rounds = Number(process.env['STOP_ROUNDS'] ?? 3);
const seed = Number(process.env['STOP_SEED'] ?? 1);
/** Of the proportions of a real lease, which lasts 15 s. */
const leaseMs = Number(process.env['STOP_LEASE_MS'] ?? 3_000);
/** For trying the test itself: with clocks that miss stops, it has to fail. */
const missesStops = process.env['STOP_MISSED'] === '1';

describe('leaders that are stopped at any moment, and go on when another leads', () => {
  it('write nothing more, and no claim has two instances', { timeout: 3_600_000 }, async () => {
    const outcome = await stopLeaders({ seed, rounds, leaseMs, missesStops });
    expect(outcome).toMatchObject({ stale: [], violations: [] });
    expect(outcome.stops.length).toBe(rounds);
    // Of what it was kept from writing, a leader logs nothing; why it ends is said on its way out.
    expect(Math.max(...outcome.stops.map(({ errorLines }) => errorLines))).toBe(0);
  });
});
