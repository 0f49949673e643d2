import { rounds } from '@karpenter/testkit/rounds';
import { expect, it } from 'vitest';
import { leaseMs, StopRun } from './stopped-leaders.ts';

const kills = rounds({ quick: 1, full: 1 });

it('a ready replica takes over from a killed leader', { timeout: 3_600_000 }, async () => {
  const run = await StopRun.start({ seed: 1, rounds: 0, leaseMs });
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await run.takeOver();
    }
    expect(await run.outcome()).toMatchObject({ stale: [], unpreventable: [], violations: [] });
  } finally {
    await run.stop();
  }
});
