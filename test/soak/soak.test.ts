import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { soak } from './soak-length.ts';
import { Storm } from './storm.ts';

const hour = 3_600_000;
const mebibyte = 2 ** 20;
/** Caches and the history of watches fill in the first hours; events live for one. */
const warmUpHours = 12;

describe(`a cluster in which something keeps going wrong (seed ${soak.seed})`, () => {
  let storm: Storm;
  const heaps: number[] = [];

  beforeAll(async () => {
    storm = await Storm.start(soak.seed);
  });

  afterAll(async () => {
    await storm.stop();
  });

  it(`violates nothing in ${soak.hours} hours`, { timeout: 24 * hour }, async () => {
    for (let passed = 1; passed <= soak.hours; passed += 1) {
      expect(await storm.pass(hour), `hour ${passed} of seed ${soak.seed}`).toEqual([]);
      heaps.push(heapInUse());
      if (soak.isShown) process.stdout.write(`${await progress(storm, passed, heaps.at(-1) ?? 0)}\n`);
    }
    expect(storm.tally.restarts).toBeGreaterThanOrEqual(Math.floor(soak.hours / 5));
    expect(storm.tally.disturbances).toBeGreaterThan(soak.hours * 3);
  });

  it.runIf(soak.hours >= 2 * warmUpHours)('needs no more memory in the end than at noon', () => {
    const [early = 0] = heaps.slice(warmUpHours - 1);
    // Caches still fill during a day; what leaks grows beyond this within a week.
    expect(Math.min(...heaps.slice(-3))).toBeLessThan(early * 1.5 + 50);
  });
});

/** In MiB, after a garbage collection: `vitest.config.ts` allows it. */
function heapInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / mebibyte;
}

async function progress(storm: Storm, hours: number, heap: number): Promise<string> {
  const { nodes, pods } = await storm.sizes();
  const { restarts, disturbances, hazards } = storm.tally;
  const named = [...hazards].map(([name, count]) => `${name} ${count}`).join(', ');
  return [
    `hour ${hours}: ${nodes} nodes, ${pods} pods, heap ${Math.round(heap)} MiB`,
    `${restarts} restarts, ${disturbances} disturbances, ${storm.apiFaults} API faults`,
    named,
  ].join('; ');
}
