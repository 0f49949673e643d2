import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Kind, KubeObject, KubeReader, ObjectList, WatchEvent, WatchOptions } from '../client/index.ts';
import { ApiError, kinds } from '../client/index.ts';
import { CacheSet } from './cache-set.ts';
import { type CacheOptions, startWatchCache } from './reflected-cache.ts';

type Change = WatchEvent<KubeObject>;

function object(name: string, version: number, extra: object = {}): KubeObject {
  return { metadata: { name, uid: `uid-${name}`, resourceVersion: String(version), ...extra } };
}

/** A fake client whose responses a test sets one by one. */
class ScriptedServer implements KubeReader {
  listed: ObjectList<KubeObject> | Error = { items: [], resourceVersion: '1' };
  /** Pages to return before `listed`, one per request. */
  readonly pages: ObjectList<KubeObject>[] = [];
  readonly lists: object[] = [];
  readonly watches: WatchOptions[] = [];
  #queue: (Change | Error | 'end')[] = [];
  #wake = () => undefined as undefined;

  send(...changes: readonly (Change | Error | 'end')[]): void {
    this.#queue.push(...changes);
    this.#wake();
  }

  get(): never {
    throw new Error('a cache lists and watches only');
  }

  find(): never {
    throw new Error('a cache lists and watches only');
  }

  async list<T extends KubeObject>(_kind: Kind<T>, options: object = {}): Promise<ObjectList<T>> {
    this.lists.push(options);
    const page = this.pages.shift();
    if (page !== undefined) return page as ObjectList<T>;
    if (this.listed instanceof Error) throw this.listed;
    return this.listed as ObjectList<T>;
  }

  async *watch<T extends KubeObject>(
    _kind: Kind<T>,
    options: WatchOptions = {},
  ): AsyncIterable<WatchEvent<T>> {
    this.watches.push(options);
    for (;;) {
      const next = this.#queue.shift();
      if (next instanceof Error) throw next;
      if (next === 'end' || options.signal?.aborted) return;
      if (next !== undefined) yield next as WatchEvent<T>;
      else
        await new Promise<void>((resolve) => {
          this.#wake = () => void resolve();
          options.signal?.addEventListener('abort', () => resolve());
        });
    }
  }
}

const forbidden = new ApiError('list', { code: 403, reason: 'Forbidden', message: 'no right', causes: [] });
const gone = new ApiError('watch', { code: 410, reason: 'Expired', message: 'too old', causes: [] });
const set = (type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, version: number): Change => {
  return { type, object: object(name, version) };
};
const bookmark = (version: number): Change => {
  return { type: 'BOOKMARK', resourceVersion: String(version), initialEventsEnd: false };
};

/** A virtual clock on which work takes time. */
class BusyClock extends VirtualClock {
  #spent = 0;

  spend(ms: number): void {
    this.#spent += ms;
  }

  override monotonic(): number {
    return super.monotonic() + this.#spent;
  }
}

function setUp(options: Partial<CacheOptions<KubeObject>> = {}) {
  const clock = new VirtualClock();
  const server = new ScriptedServer();
  const stop = new AbortController();
  const errors: unknown[] = [];
  onTestFinished(() => stop.abort());
  const start = () =>
    startWatchCache<KubeObject>({
      client: server,
      kind: kinds.node,
      clock,
      signal: stop.signal,
      random: () => 0,
      onError: (error) => errors.push(error),
      ...options,
    });
  return { clock, server, stop, errors, start };
}

function names(objects: readonly KubeObject[]): readonly (string | undefined)[] {
  return objects.map(({ metadata }) => metadata?.name);
}

describe('a watch cache', () => {
  it('is synced after the first list, and resolves pending waitForSync calls', async () => {
    const { clock, server, start } = setUp({ selection: { labelSelector: 'a=b' } });
    server.listed = new Error('not yet');
    const cache = start();
    const waiting = cache.waitForSync();
    const impatient = cache.waitForSync(AbortSignal.abort(new Error('given up')));
    await expect(impatient).rejects.toThrow('given up');
    await clock.advance(0);
    expect(cache.synced).toBe(false);
    server.listed = { items: [object('a', 3)], resourceVersion: '7' };
    await clock.advance(800);
    await waiting;
    await cache.waitForSync();
    expect(cache.synced).toBe(true);
    expect(names(cache.list())).toEqual(['a']);
    expect(server.watches).toMatchObject([
      { resourceVersion: '7', labelSelector: 'a=b', timeoutSeconds: 300 },
    ]);
  });

  it('yields to the event loop while it stores a long list', async () => {
    const clock = new BusyClock();
    const { server, start } = setUp({ clock });
    const items = Array.from({ length: 1_000 }, (_, index) => object(`n${index}`, 3));
    server.listed = { items, resourceVersion: '7' };
    const cache = start();
    let seen = 0;
    cache.subscribe(() => {
      seen += 1;
      clock.spend(0.1);
    });
    const seenByIteration: number[] = [];
    const watchIterations = () => {
      seenByIteration.push(seen);
      if (!cache.synced) setImmediate(watchIterations);
    };
    setImmediate(watchIterations);
    await cache.waitForSync();
    expect(seen).toBe(1_000);
    expect(new Set(seenByIteration).size).toBeGreaterThan(15);
  });

  it('stores each page of the first list before it requests the next, and watches from the version of the first', async () => {
    const { clock, server, start } = setUp();
    server.pages.push({ items: [object('a', 3)], resourceVersion: '7', continue: 'more' });
    server.listed = { items: [object('b', 9)], resourceVersion: '10' };
    const cache = start();
    const heldByList: (readonly (string | undefined)[])[] = [];
    cache.subscribe(() => heldByList.push([...names(cache.list()), `${server.lists.length} asked`]));
    await cache.waitForSync();
    expect(heldByList).toEqual([
      ['a', '1 asked'],
      ['a', 'b', '2 asked'],
    ]);
    expect(server.lists).toMatchObject([{ limit: 500 }, { limit: 500, continue: 'more' }]);
    await clock.advance(0);
    expect(server.watches).toMatchObject([{ resourceVersion: '7' }]);
  });

  it('lists everything again when the first list fails halfway, and drops objects deleted meanwhile', async () => {
    const { clock, server, start } = setUp();
    server.pages.push({ items: [object('a', 3), object('b', 4)], resourceVersion: '7', continue: 'more' });
    server.listed = gone;
    const cache = start();
    await clock.advance(0);
    expect(cache.synced).toBe(false);
    server.listed = { items: [object('b', 4), object('c', 8)], resourceVersion: '9' };
    await clock.advance(800);
    expect(cache.synced).toBe(true);
    expect(names(cache.list())).toEqual(['b', 'c']);
    expect(server.watches).toMatchObject([{ resourceVersion: '9' }]);
  });

  it('shares equal parts between objects of one owner', async () => {
    const { server, start } = setUp();
    const ownerReferences = () => [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'uid-web' },
    ];
    server.listed = {
      items: ['a', 'b'].map((name) => object(name, 3, { ownerReferences: ownerReferences() })),
      resourceVersion: '7',
    };
    const cache = start();
    await cache.waitForSync();
    const [a, b] = cache.list();
    expect(a?.metadata?.ownerReferences).toEqual(ownerReferences());
    expect(b?.metadata?.ownerReferences).toBe(a?.metadata?.ownerReferences);
  });

  it('reports each object once to a listener that subscribes during a long list', async () => {
    const { server, start } = setUp();
    const items = Array.from({ length: 1_000 }, (_, index) => object(`n${index}`, 3));
    server.listed = { items, resourceVersion: '7' };
    const cache = start();
    const heard: KubeObject[] = [];
    const stopFirst = cache.subscribe(() => {
      stopFirst();
      cache.subscribe((change) => heard.push(change.object));
    });
    await cache.waitForSync();
    expect(heard).toHaveLength(1_000);
    expect(new Set(names(heard)).size).toBe(1_000);
  });

  it('resumes the watch from the last version seen, bookmarks included', async () => {
    const { clock, server, start } = setUp();
    start();
    server.send(set('ADDED', 'a', 5), 'end');
    await clock.advance(0);
    server.send(bookmark(9), 'end');
    await clock.advance(0);
    expect(server.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['1', '5', '9']);
    expect(server.lists).toHaveLength(1);
  });

  it('lists again only when the server has compacted its version', async () => {
    const { clock, server, start, errors } = setUp();
    const cache = start();
    server.send(set('ADDED', 'a', 5), new Error('reset'));
    await clock.advance(800);
    expect(server.lists).toHaveLength(1);
    server.listed = { items: [object('b', 8)], resourceVersion: '9' };
    server.send(gone);
    await clock.advance(1600);
    expect(server.lists).toHaveLength(2);
    expect(names(cache.list())).toEqual(['b']);
    expect(errors).toEqual([expect.objectContaining({ message: 'reset' }), gone]);
  });

  it('backs off up to 30 seconds from a server that keeps failing', async () => {
    const { clock, server, start } = setUp();
    server.listed = new Error('down');
    start();
    const times: number[] = [];
    const begin = clock.now();
    for (let seen = 0; times.length < 8; ) {
      await clock.advanceToNext();
      if (server.lists.length > seen) times.push(clock.now() - begin);
      seen = server.lists.length;
    }
    const waits = times.map((time, index) => time - (times[index - 1] ?? 0));
    expect(waits).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('backs off after watches that end without an event', async () => {
    const { clock, server, start } = setUp();
    start();
    for (let end = 0; end < 3; end += 1) server.send('end');
    await clock.advance(0);
    expect(server.watches).toHaveLength(1);
    await clock.advance(800);
    expect(server.watches).toHaveLength(2);
  });

  it('ignores events and lists with older versions', async () => {
    const { clock, server, start } = setUp();
    server.listed = { items: [object('a', 5)], resourceVersion: '10' };
    const cache = start();
    server.send(set('MODIFIED', 'a', 12), set('MODIFIED', 'a', 11), set('ADDED', 'old', 4), bookmark(3));
    await clock.advance(0);
    expect(cache.get({ name: 'a' })?.metadata?.resourceVersion).toBe('12');
    expect(names(cache.list())).toEqual(['a']);
    server.listed = { items: [], resourceVersion: '9' };
    server.send(gone);
    await clock.advance(800);
    expect(names(cache.list())).toEqual(['a']);
    server.listed = { items: [object('a', 12)], resourceVersion: '12' };
    await clock.advance(60_000);
    expect(server.watches.at(-1)?.resourceVersion).toBe('12');
  });

  it('accepts older versions after ten older lists, as after a restore from backup', async () => {
    const { clock, server, start } = setUp();
    server.listed = { items: [object('a', 500)], resourceVersion: '1000' };
    const cache = start();
    await clock.advance(0);
    server.listed = { items: [object('a', 50), object('b', 60)], resourceVersion: '100' };
    server.send(gone);
    await clock.advance(600_000);
    expect(cache.list().map(({ metadata }) => metadata?.resourceVersion)).toEqual(['50', '60']);
    expect(server.watches.at(-1)?.resourceVersion).toBe('100');
  });

  it('reports each change with the previous object', async () => {
    const { clock, server, start } = setUp();
    server.listed = { items: [object('a', 1), object('b', 2)], resourceVersion: '2' };
    const cache = start();
    await clock.advance(0);
    const observed: string[] = [];
    const stopListening = cache.subscribe(({ type, object: { metadata }, previous }) =>
      observed.push(
        `${type} ${metadata?.name}@${metadata?.resourceVersion} ${previous?.metadata?.resourceVersion ?? '-'}`,
      ),
    );
    server.send(set('MODIFIED', 'a', 3), set('DELETED', 'b', 4), set('ADDED', 'b', 5));
    await clock.advance(0);
    expect(observed).toEqual([
      'added a@1 -',
      'added b@2 -',
      'modified a@3 1',
      'deleted b@4 2',
      'added b@5 -',
    ]);
    stopListening();
    server.send(set('DELETED', 'a', 6));
    await clock.advance(0);
    expect(observed).toHaveLength(5);
  });

  it('reports a deletion and an addition when an object is recreated under the same name', async () => {
    const { clock, server, start } = setUp();
    server.listed = { items: [object('a', 1)], resourceVersion: '2' };
    const cache = start();
    await clock.advance(0);
    const observed: string[] = [];
    cache.subscribe(({ type, object: { metadata } }) => observed.push(`${type} ${metadata?.uid}`));
    server.listed = { items: [object('a', 5, { uid: 'another' })], resourceVersion: '6' };
    server.send(gone);
    await clock.advance(800);
    expect(observed).toEqual(['added uid-a', 'deleted uid-a', 'added another']);
  });

  it('keeps notifying other listeners when one throws', async () => {
    const { clock, server, start, errors } = setUp();
    const cache = start();
    await clock.advance(0);
    const observed: string[] = [];
    cache.subscribe(() => {
      throw new Error('listener');
    });
    cache.subscribe(({ type }) => observed.push(type));
    server.send(set('ADDED', 'a', 3));
    await clock.advance(0);
    expect(observed).toEqual(['added']);
    expect(errors).toMatchObject([{ message: 'listener' }]);
  });

  it('finds objects by indexes, including indexes added later', async () => {
    const { clock, server, start } = setUp({ indexes: { name: ({ metadata }) => [metadata?.name ?? ''] } });
    server.listed = { items: [object('a', 1), object('b', 2)], resourceVersion: '2' };
    const cache = start();
    await clock.advance(0);
    cache.addIndex('all', () => ['x']);
    expect(names(cache.byIndex('name', 'b'))).toEqual(['b']);
    expect(names(cache.byIndex('all', 'x'))).toEqual(['a', 'b']);
    server.send(set('DELETED', 'a', 3));
    await clock.advance(0);
    expect(names(cache.byIndex('all', 'x'))).toEqual(['b']);
    expect(cache.byIndex('name', 'a')).toEqual([]);
    expect(cache.byIndex('unknown', 'a')).toEqual([]);
  });

  it('returns frozen objects without managed fields', async () => {
    const { clock, server, start } = setUp();
    server.listed = {
      items: [object('a', 1, { labels: { a: 'b' }, managedFields: [{}] })],
      resourceVersion: '2',
    };
    const cache = start();
    await clock.advance(0);
    const { metadata } = cache.get({ name: 'a' }) ?? {};
    expect(metadata).toEqual({ name: 'a', uid: 'uid-a', resourceVersion: '1', labels: { a: 'b' } });
    expect(() => Object.assign(metadata?.labels ?? {}, { a: 'c' })).toThrow(TypeError);
  });

  it('stops listing and watching when its signal aborts', async () => {
    const { clock, server, stop, start } = setUp();
    start();
    await clock.advance(0);
    stop.abort();
    await clock.advance(60_000);
    expect(server.watches).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
  });
});

describe('a cache of an optional kind', () => {
  function setUpOptional() {
    const access: boolean[] = [];
    return { ...setUp({ onAccess: (isAllowed) => access.push(isAllowed) }), access };
  }

  it('is empty and synced while the kind is forbidden, reports that once, and lists it once it is allowed', async () => {
    const { clock, server, start, errors, access } = setUpOptional();
    server.listed = forbidden;
    const cache = start();
    await clock.advance(120_000);
    expect(cache.synced).toBe(true);
    expect(cache.list()).toEqual([]);
    expect(access).toEqual([false]);
    server.listed = { items: [object('a', 3)], resourceVersion: '7' };
    server.send(bookmark(8));
    await clock.advance(30_000);
    expect(names(cache.list())).toEqual(['a']);
    expect(access).toEqual([false, true]);
    expect(errors).toEqual([]);
  });

  it('drops its objects when the right to watch them is taken away', async () => {
    const { clock, server, start, access } = setUpOptional();
    server.listed = { items: [object('a', 1)], resourceVersion: '2' };
    const cache = start();
    await clock.advance(0);
    server.listed = forbidden;
    server.send(forbidden);
    await clock.advance(60_000);
    expect(cache.list()).toEqual([]);
    expect(access).toEqual([false]);
    server.listed = { items: [object('a', 1), object('b', 9)], resourceVersion: '9' };
    server.send(bookmark(10));
    await clock.advance(30_000);
    expect(names(cache.list())).toEqual(['a', 'b']);
    expect(access).toEqual([false, true]);
  });

  it('reports a kind once that may be listed but not watched', async () => {
    const { clock, server, start, access } = setUpOptional();
    server.listed = { items: [object('a', 1)], resourceVersion: '2' };
    server.send(forbidden, forbidden, forbidden);
    const cache = start();
    await clock.advance(4_000);
    expect(cache.list()).toEqual([]);
    expect(access).toEqual([false]);
  });

  it('is not synced while its list fails for another reason', async () => {
    const { clock, server, start, errors, access } = setUpOptional();
    server.listed = new Error('unreachable');
    const cache = start();
    await clock.advance(1_000);
    expect(cache.synced).toBe(false);
    expect(access).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
  });
});

describe('a set of caches', () => {
  it('is synced while only optional kinds are forbidden', async () => {
    const clock = new VirtualClock();
    const client = new ScriptedServer();
    client.listed = forbidden;
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const changes: string[] = [];
    const optional = {
      has: ({ kind }: Kind) => kind === 'Job',
      onAccess: ({ kind }: Kind, isAllowed: boolean) => changes.push(`${kind} ${isAllowed}`),
    };
    const caches = new CacheSet({ client, clock, signal: stop.signal, optional });
    caches.of(kinds.job);
    await clock.advance(0);
    expect(caches.synced).toBe(true);
    caches.of(kinds.node);
    await clock.advance(60_000);
    expect(caches.unsynced).toEqual(['nodes']);
    expect(changes).toEqual(['Job false']);
  });

  it('starts one cache per kind and shares it', async () => {
    const clock = new VirtualClock();
    const client = new ScriptedServer();
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const caches = new CacheSet({ client, clock, signal: stop.signal });
    const nodes = caches.of(kinds.node);
    expect(caches.of(kinds.node, { name: ({ metadata }) => [metadata?.name ?? ''] })).toBe(nodes);
    expect(caches.of(kinds.pod)).not.toBe(nodes);
    expect(caches.synced).toBe(false);
    expect(caches.unsynced).toEqual(['nodes', 'pods']);
    await caches.waitForSync();
    expect(caches.synced).toBe(true);
    expect(client.lists).toHaveLength(2);
  });
});
