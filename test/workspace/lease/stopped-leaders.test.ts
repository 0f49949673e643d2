import { rounds, seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { leaseMs, stopLeaders } from './stopped-leaders.ts';

/** At least two: the first round scales out, the second scales in. */
const stops = rounds({ quick: 2, full: 3 });
const [seed = 1] = seeds({ quick: 1, full: 1 });
/** To try the test itself: with clocks that miss stops, it must fail. */
const missesStops = process.env['STOP_MISSED'] === '1';
/** On a busy host, about one stop in a hundred hits a write between the check of the fence and the system call. */
const mostUnpreventable = Math.ceil(stops / 20);

describe('leaders that are stopped at any moment and resumed when another leads', () => {
  it('write nothing more, and no NodeClaim has two instances', { timeout: 3_600_000 }, async () => {
    const outcome = await stopLeaders({ seed, rounds: stops, leaseMs, missesStops });
    expect(outcome).toMatchObject({ stale: [], violations: [] });
    expect(outcome.unpreventable.length, outcome.unpreventable.join('\n')).toBeLessThanOrEqual(
      mostUnpreventable,
    );
    expect(outcome.stops.length).toBe(stops);
    // A leader logs no error for writes that the fence rejected; it logs once why it exits.
    expect(Math.max(...outcome.stops.map(({ errorLines }) => errorLines))).toBe(0);
  });
});
