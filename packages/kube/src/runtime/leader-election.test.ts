import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { describe, expect, it } from 'vitest';
import type { Kind, KubeObject } from '../client/index.ts';
import { ApiError, ConnectionError } from '../client/index.ts';
import { type ElectionOptions, lead } from './leader-election.ts';
import { LeaseFence } from './lease-fence.ts';

/** An API server that has one Lease, and can be unreachable or carry out writes that it never answers. */
class LeaseServer {
  lease: Lease | undefined;
  isReachable = true;
  answersWrites = true;
  writes = 0;
  delay: () => Promise<void> = async () => undefined;
  /** A candidate whose writes never arrive. */
  deaf: string | undefined;
  #version = 0;

  async find<T extends KubeObject>(): Promise<T | undefined> {
    this.#check();
    return structuredClone(this.lease) as T | undefined;
  }

  async create<T extends KubeObject>(_kind: Kind<T>, lease: T, options: Cancellable): Promise<T> {
    this.#check();
    if (this.lease !== undefined) throw this.#error(409, 'AlreadyExists');
    return this.#answer(this.#store(lease), options);
  }

  async replace<T extends KubeObject>(_kind: Kind<T>, lease: T, options: Cancellable): Promise<T> {
    this.#check();
    if (this.deaf !== undefined && holderOf(lease) === this.deaf) return new Promise(() => undefined);
    if (lease.metadata?.resourceVersion !== this.lease?.metadata?.resourceVersion) {
      throw this.#error(409, 'Conflict');
    }
    return this.#answer(this.#store(lease), options);
  }

  async #answer<T>(stored: T, { signal }: Cancellable = {}): Promise<T> {
    await this.delay();
    if (this.answersWrites) return stored;
    this.answersWrites = true;
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    throw new ConnectionError('write the lease', 'given up');
  }

  #store<T extends KubeObject>(lease: T): T {
    this.#version += 1;
    this.writes += 1;
    const stored = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.#version) } };
    this.lease = stored as Lease;
    return structuredClone(stored) as T;
  }

  #check(): void {
    if (!this.isReachable) throw new ConnectionError('reach the lease', 'unreachable');
  }

  #error(code: number, reason: string): ApiError {
    return new ApiError('write the lease', { code, reason, message: reason, causes: [] });
  }
}

function holderOf(object: KubeObject): string | undefined {
  return (object as Lease).spec?.holderIdentity;
}

type Cancellable = { readonly signal?: AbortSignal } | undefined;

const lease = { namespace: 'kube-system', name: 'leader' };

function setUp() {
  const clock = new VirtualClock();
  const server = new LeaseServer();
  const candidate = (
    identity: string,
    options: Partial<ElectionOptions> = {},
    windDown: () => Promise<void> = async () => undefined,
  ) => {
    const stop = new AbortController();
    let leading: AbortSignal | undefined;
    const fence = new LeaseFence(options.clock ?? clock, lease);
    const base = { client: server, clock, lease, fence };
    const ended = lead({ ...base, identity, signal: stop.signal, ...options }, async (signal) => {
      leading = signal;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await windDown();
    });
    const outcome = ended.then(
      () => 'stopped',
      (error: unknown) => error,
    );
    return { stop, outcome, fence, leading: () => leading };
  };
  return { clock, server, candidate };
}

describe('leader election', () => {
  it('gives the lease to whoever comes first, and writes it as Kubernetes does', async () => {
    const { clock, server, candidate } = setUp();
    const first = candidate('first');
    await clock.advance(0);
    const second = candidate('second');
    await clock.advance(60_000);
    expect(first.fence.isOpen).toBe(true);
    expect(second.leading()).toBeUndefined();
    expect(server.lease?.spec).toEqual({
      holderIdentity: 'first',
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:01:00.000000Z',
    });
    expect(server.writes).toBe(31);
  });

  it('hands over at once when the leader stops', async () => {
    const { clock, server, candidate } = setUp();
    const first = candidate('first');
    await clock.advance(0);
    const second = candidate('second');
    await clock.advance(1000);
    first.stop.abort();
    await clock.advance(2000);
    expect(await first.outcome).toBe('stopped');
    expect(first.fence.isOpen).toBe(false);
    expect(second.fence.isOpen).toBe(true);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
  });

  it('gives the lease back though the answer to the last renewal has not come', async () => {
    const { clock, server, candidate } = setUp();
    const first = candidate('first');
    await clock.advance(0);
    server.answersWrites = false;
    await clock.advance(2000);
    first.stop.abort();
    await clock.advance(0);
    expect(await first.outcome).toBe('stopped');
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('gives back a lease of which it has not heard yet that it took it', async () => {
    const { clock, server, candidate } = setUp();
    server.answersWrites = false;
    const first = candidate('first');
    await clock.advance(0);
    expect(server.lease?.spec?.holderIdentity).toBe('first');
    first.stop.abort();
    await clock.advance(0);
    expect(await first.outcome).toBe('stopped');
    expect(first.leading()).toBeUndefined();
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('leads on while its work comes to an end, however long that takes', async () => {
    const { clock, server, candidate } = setUp();
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = candidate('first', {}, () => finished);
    await clock.advance(0);
    const second = candidate('second');
    first.stop.abort();
    expect(first.leading()?.aborted).toBe(true);
    await clock.advance(60_000);
    expect(first.fence.isOpen).toBe(true);
    expect(second.leading()).toBeUndefined();
    finish();
    await clock.advance(4000);
    expect(await first.outcome).toBe('stopped');
    expect(second.fence.isOpen).toBe(true);
    expect(server.lease?.spec?.holderIdentity).toBe('second');
  });

  it('waits for a dead leader until its lease has run out, by its own clock', async () => {
    const { clock, server, candidate } = setUp();
    const dead = {
      holderIdentity: 'dead',
      leaseDurationSeconds: 15,
      renewTime: '2031-01-01T00:00:00.000000Z',
    };
    server.lease = { metadata: { resourceVersion: 'x' }, spec: dead };
    const second = candidate('second');
    await clock.advance(14_999);
    expect(second.leading()).toBeUndefined();
    await clock.advance(2001);
    expect(second.fence.isOpen).toBe(true);
  });

  it('is over for a leader that cannot renew, before another can lead', async () => {
    const { clock, server, candidate } = setUp();
    const first = candidate('first');
    await clock.advance(0);
    server.isReachable = false;
    await clock.advance(9999);
    expect(first.leading()?.aborted).toBe(false);
    await clock.advance(1);
    expect(first.leading()?.aborted).toBe(true);
    expect(await first.outcome).toMatchObject({
      code: 'lease-lost',
      message: 'lost the lease kube-system/leader: it could not be renewed within 10 s; start again',
    });
  });

  it('survives a failure that passes', async () => {
    const errors: unknown[] = [];
    const { clock, server, candidate } = setUp();
    const first = candidate('first', { onError: (error) => errors.push(error) });
    await clock.advance(0);
    server.isReachable = false;
    await clock.advance(7000);
    server.isReachable = true;
    await clock.advance(60_000);
    expect(first.fence.isOpen).toBe(true);
    expect(errors).toHaveLength(3);
  });

  it('knows that the lease has run out even if no signal came in time', async () => {
    const { clock, candidate } = setUp();
    let now = 0;
    const stalled = {
      now: () => clock.now(),
      monotonic: () => now,
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(durationMs(ms), signal),
    };
    const first = candidate('first', { clock: stalled });
    await clock.advance(0);
    now = 9_999;
    expect(first.fence.isOpen).toBe(true);
    now = 10_000;
    expect(first.fence.isOpen).toBe(false);
    expect(first.leading()?.aborted).toBe(false);
  });

  it('reports the current leader', async () => {
    const leaders: string[] = [];
    const { clock, server, candidate } = setUp();
    server.lease = {
      metadata: { resourceVersion: 'x' },
      spec: { holderIdentity: 'old', leaseDurationSeconds: 1 },
    };
    candidate('new', { onLeader: (identity) => leaders.push(identity) });
    await clock.advance(5000);
    expect(leaders).toEqual(['old', 'new']);
  });

  it('gives the lease back and fails when the work fails', async () => {
    const { clock, server } = setUp();
    const never = new AbortController();
    const fence = new LeaseFence(clock, lease);
    const options = { client: server, clock, lease, fence, identity: 'me', signal: never.signal };
    const failing = lead(options, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });

  it('is taken over when the lease of a dead leader runs out, not some time after', async () => {
    const { clock, server, candidate } = setUp();
    candidate('first');
    await clock.advance(0);
    const second = candidate('second');
    await clock.advance(7000);
    // The leader renewed a second ago and dies; the other has seen that within half a second.
    server.deaf = 'first';
    await clock.advance(13_999);
    expect(second.fence.isOpen).toBe(false);
    await clock.advance(501);
    expect(second.fence.isOpen).toBe(true);
  });

  it('goes by a clock that nobody sets', async () => {
    const { clock, server, candidate } = setUp();
    let set = 0;
    const adjusted = {
      now: () => clock.now() + set,
      monotonic: () => clock.monotonic(),
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(durationMs(ms), signal),
    };
    const first = candidate('first', { clock: adjusted });
    await clock.advance(0);
    const second = candidate('second', { clock: adjusted });
    await clock.advance(1000);
    set = 3_600_000;
    await clock.advance(0);
    expect([first.fence.isOpen, second.fence.isOpen]).toEqual([true, false]);
    server.isReachable = false;
    set = -3_600_000;
    await clock.advance(11_000);
    expect(first.fence.isOpen).toBe(false);
  });

  it('is over as soon as the fence refuses a write, and does not wait for work under way', async () => {
    const { clock, candidate } = setUp();
    let now = 0;
    const stalled = {
      now: () => clock.now(),
      monotonic: () => now,
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(durationMs(ms), signal),
    };
    const first = candidate('first', { clock: stalled }, () => new Promise(() => undefined));
    await clock.advance(0);
    now = 30_000;
    expect(() => first.fence.check()).toThrow('lost the lease kube-system/leader');
    expect(first.leading()?.aborted).toBe(true);
    expect(await first.outcome).toMatchObject({ code: 'lease-lost' });
  });

  it('is not won back by the late answer to a renewal', async () => {
    const { clock, server, candidate } = setUp();
    const first = candidate('first');
    await clock.advance(0);
    server.delay = () => clock.sleep(durationMs(12_000));
    await clock.advance(11_000);
    expect(first.fence.isOpen).toBe(false);
    await clock.advance(10_000);
    expect(first.fence.isOpen).toBe(false);
    expect(await first.outcome).toMatchObject({ code: 'lease-lost' });
  });

  it('is no error for those who ask at the same moment as another', async () => {
    const { clock, server, candidate } = setUp();
    const dead = { holderIdentity: 'dead', leaseDurationSeconds: 15 };
    server.lease = { metadata: { name: 'leader', resourceVersion: 'x' }, spec: dead };
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const both = [candidate('first', { onError }), candidate('second', { onError })];
    await clock.advance(16_000);
    expect(both.filter(({ fence }) => fence.isOpen)).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});
