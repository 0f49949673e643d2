import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../client/api-error.ts';
import { ConnectionError } from '../client/connection-error.ts';
import type { Kind, KubeObject } from '../client/kind.ts';
import { type ElectionOptions, type Leadership, lead } from './leader-election.ts';

/** An API server that has one Lease, and can be unreachable or carry out writes that it never answers. */
class LeaseServer {
  lease: Lease | undefined;
  isReachable = true;
  answersWrites = true;
  writes = 0;
  #version = 0;

  async get<T extends KubeObject>(): Promise<T> {
    this.#check();
    if (this.lease === undefined) throw this.#error(404, 'NotFound');
    return structuredClone(this.lease) as T;
  }

  async create<T extends KubeObject>(_kind: Kind<T>, lease: T, options: Cancellable): Promise<T> {
    this.#check();
    if (this.lease !== undefined) throw this.#error(409, 'AlreadyExists');
    return this.#answer(this.#store(lease), options);
  }

  async replace<T extends KubeObject>(_kind: Kind<T>, lease: T, options: Cancellable): Promise<T> {
    this.#check();
    if (lease.metadata?.resourceVersion !== this.lease?.metadata?.resourceVersion) {
      throw this.#error(409, 'Conflict');
    }
    return this.#answer(this.#store(lease), options);
  }

  async #answer<T>(stored: T, { signal }: Cancellable = {}): Promise<T> {
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

type Cancellable = { readonly signal?: AbortSignal } | undefined;

function setUp() {
  const clock = new VirtualClock();
  const server = new LeaseServer();
  const candidate = (
    identity: string,
    options: Partial<ElectionOptions> = {},
    windDown: () => Promise<void> = async () => undefined,
  ) => {
    const stop = new AbortController();
    let leadership: Leadership | undefined;
    const base = {
      client: server,
      clock,
      lease: { namespace: 'kube-system', name: 'leader' },
      random: () => 0,
    };
    const ended = lead({ ...base, identity, signal: stop.signal, ...options }, async (held) => {
      leadership = held;
      await new Promise((resolve) => held.signal.addEventListener('abort', resolve));
      await windDown();
    });
    const outcome = ended.then(
      () => 'stopped',
      (error: unknown) => error,
    );
    return { stop, outcome, leadership: () => leadership };
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
    expect(first.leadership()?.isHeld()).toBe(true);
    expect(second.leadership()).toBeUndefined();
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
    expect(first.leadership()?.isHeld()).toBe(false);
    expect(second.leadership()?.isHeld()).toBe(true);
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
    expect(first.leadership()).toBeUndefined();
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
    expect(first.leadership()?.signal.aborted).toBe(true);
    await clock.advance(60_000);
    expect(first.leadership()?.isHeld()).toBe(true);
    expect(second.leadership()).toBeUndefined();
    finish();
    await clock.advance(4000);
    expect(await first.outcome).toBe('stopped');
    expect(second.leadership()?.isHeld()).toBe(true);
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
    expect(second.leadership()).toBeUndefined();
    await clock.advance(2001);
    expect(second.leadership()?.isHeld()).toBe(true);
  });

  it('is over for a leader that cannot renew, before another can lead', async () => {
    const { clock, server, candidate } = setUp();
    const first = candidate('first');
    await clock.advance(0);
    server.isReachable = false;
    await clock.advance(9999);
    expect(first.leadership()?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(first.leadership()?.signal.aborted).toBe(true);
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
    expect(first.leadership()?.isHeld()).toBe(true);
    expect(errors).toHaveLength(3);
  });

  it('knows that the lease has run out even if no signal came in time', async () => {
    const { clock, candidate } = setUp();
    let now = 0;
    const stalled = {
      now: () => now,
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(durationMs(ms), signal),
    };
    const first = candidate('first', { clock: stalled });
    await clock.advance(0);
    now = 14_999;
    expect(first.leadership()?.isHeld()).toBe(true);
    now = 15_000;
    expect(first.leadership()?.isHeld()).toBe(false);
    expect(first.leadership()?.signal.aborted).toBe(false);
  });

  it('tells who leads', async () => {
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
    const lease = { namespace: 'a', name: 'b' };
    const options = { client: server, clock, lease, identity: 'me', signal: never.signal };
    const failing = lead(options, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(server.lease?.spec?.holderIdentity).toBe('');
  });
});
