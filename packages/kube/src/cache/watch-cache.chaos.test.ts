import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@karpenter/testkit/clock';
import { faults, ObjectHistory, startFaultyServer } from '@karpenter/testkit/faulty-server';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, type KubeObject, kinds } from '../client/index.ts';
import { startWatchCache } from './reflected-cache.ts';
import type { WatchCache } from './watch-cache.ts';

const names = Array.from({ length: 40 }, (_, index) => `object-${index}`);

async function setUp(protocol: 'http' | 'h2', seed: number) {
  const history = new ObjectHistory();
  const server = await startFaultyServer(history, seed, { protocol });
  const clock = new VirtualClock();
  const client = connect({ server: server.url, ca: server.authority.cert }, { clock });
  const stop = new AbortController();
  const chance = new SeededRandom(seed + 1);
  onTestFinished(async () => {
    stop.abort();
    await client.close();
    await server.close();
  });
  const cache = startWatchCache({
    client,
    kind: kinds.configMap,
    clock,
    signal: stop.signal,
    indexes: { value: ({ metadata }) => Object.values(metadata?.labels ?? {}) },
    random: () => chance.next(),
  });
  return { history, server, clock, client, cache, chance };
}

/** Makes a random change; now and then the server also compacts its history. */
function change(history: ObjectHistory, chance: SeededRandom): void {
  const name = names[chance.integer(0, names.length - 1)] ?? '';
  if (history.has(name) && chance.happens(0.4)) history.remove(name);
  else history.write(name, String(chance.integer(0, 3)));
  if (chance.happens(0.02)) history.compact();
}

/** Lets the sockets deliver, then advances the clock. */
async function pass(clock: VirtualClock, ms: number): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  await clock.advance(ms);
}

/**
 * Subscribes to the cache and collects changes that
 * contradict earlier ones or show a state that never existed.
 */
function contradictionsIn(cache: WatchCache<KubeObject>, history: ObjectHistory): readonly string[] {
  const contradictions: string[] = [];
  const known = new Map<string, KubeObject>();
  cache.subscribe(({ type, object, previous }) => {
    const { name = '', resourceVersion } = object.metadata ?? {};
    const reported = known.get(name);
    const isOlder = Number(resourceVersion) < Number(reported?.metadata?.resourceVersion ?? 0);
    if (reported !== previous || (type === 'added') !== (reported === undefined))
      contradictions.push(`${type} ${name}`);
    if (isOlder) contradictions.push(`${name} went back to ${resourceVersion}`);
    if (!history.wasEver(cache.list())) contradictions.push(`${type} ${name} shows a moment that never was`);
    if (type === 'deleted') known.delete(name);
    else known.set(name, object);
  });
  return contradictions;
}

function total(made: ReadonlyMap<string, number>): number {
  return [...made.values()].reduce((sum, count) => sum + count, 0);
}

describe('a watch cache', () => {
  it.each([
    ['http', 1, 1000],
    ['h2', 2, 1000],
  ] as const)('converges after arbitrary server faults over %s', async (protocol, seed, enough) => {
    const { history, server, clock, client, cache, chance } = await setUp(protocol, seed);
    const contradictions = contradictionsIn(cache, history);
    while (total(server.made) < enough) {
      change(history, chance);
      await pass(clock, chance.integer(0, 2000));
    }
    server.heal();
    while (differs(cache, history)) await pass(clock, 1000);
    expect(contradictions).toEqual([]);
    expect([...server.made.keys()].sort()).toEqual(
      faults.filter((fault) => fault !== 'go-away' || protocol === 'h2').toSorted(),
    );
    const fresh = await client.list(kinds.configMap);
    expect(byName(cache.list())).toEqual(byName(fresh.items));
    for (const value of ['0', '1', '2', '3']) {
      const expected = fresh.items.filter(({ metadata }) => metadata?.labels?.['value'] === value);
      expect(byName(cache.byIndex('value', value))).toEqual(byName(expected));
    }
  });
});

function differs(cache: WatchCache<KubeObject>, history: ObjectHistory): boolean {
  return JSON.stringify(byName(cache.list())) !== JSON.stringify(byName(history.now().objects));
}

function byName(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.toSorted((a, b) => (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? ''));
}
