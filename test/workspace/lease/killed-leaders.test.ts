import { expect, it } from 'vitest';
import { StopRun } from './stopped-leaders.ts';

/** One by default; TAKEOVERS=5 and TAKEOVER_LEASE_MS=15000 tell how long it takes with leases as they are. */
const kills = Number(process.env['TAKEOVERS'] ?? 1);
const leaseMs = Number(process.env['TAKEOVER_LEASE_MS'] ?? 3_000);

it('a replica that was ready takes over from a leader that was killed', { timeout: 3_600_000 }, async () => {
  const run = await StopRun.start({ seed: 1, rounds: 0, leaseMs });
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const taken = await run.takeOver();
      if (process.env['TAKEOVERS'] !== undefined) process.stderr.write(`${Math.round(taken)} ms\n`);
    }
    expect(run.outcome()).toMatchObject({ stale: [], violations: [] });
  } finally {
    await run.stop();
  }
});
