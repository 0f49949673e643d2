import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { type QueueObserver, type QueueView, WorkQueue } from './work-queue.ts';

function setUp() {
  const clock = new VirtualClock();
  return { clock, queue: new WorkQueue({ clock }) };
}

/** Takes every key that is ready now. */
function taken(queue: WorkQueue, count: number): Promise<readonly (string | undefined)[]> {
  return Promise.all(Array.from({ length: count }, () => queue.take()));
}

describe('a work queue', () => {
  it('hands out keys in the order of their first add, each once', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.depth).toBe(3);
    expect(await taken(queue, 3)).toEqual(['a', 'b', 'c']);
  });

  it('keeps that order for keys that are added while others are taken, and after it was empty', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b']) queue.add(key);
    const first = await queue.take();
    queue.done('a');
    for (const key of ['c', 'a']) queue.add(key);
    expect([first, ...(await taken(queue, 3))]).toEqual(['a', 'b', 'c', 'a']);
    const waiting = taken(queue, 2);
    for (const key of ['d', 'e']) queue.add(key);
    expect(await waiting).toEqual(['d', 'e']);
  });

  it('hands out a key again after done when it was added while it was running', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.take();
    queue.add('a');
    queue.add('b');
    expect(await queue.take()).toBe('b');
    queue.done('a');
    expect(await queue.take()).toBe('a');
    queue.done('a');
    expect(queue.depth).toBe(0);
  });

  it('calls its observer when keys are added, taken and retried', async () => {
    const clock = new VirtualClock();
    const observed: string[] = [];
    let view: QueueView | undefined;
    const observer: QueueObserver = {
      opened: (queue) => {
        view = queue;
      },
      added: () => observed.push('added'),
      retried: () => observed.push('retried'),
      taken: (waited) => observed.push(`taken after ${waited}`),
    };
    const queue = new WorkQueue({ clock, observer });
    queue.add('a');
    queue.add('a');
    await clock.advance(20);
    await queue.take();
    expect([...(view?.running ?? [])]).toEqual([['a', clock.now()]]);
    queue.add('a');
    await clock.advance(30);
    queue.done('a');
    await queue.take();
    queue.addFailed('a');
    queue.done('a');
    expect(observed).toEqual(['added', 'taken after 20', 'added', 'taken after 30', 'retried']);
    expect([view?.depth, view?.running.size]).toEqual([0, 0]);
  });

  it('hands out a delayed key after the shortest of its delays', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', durationMs(5000));
    queue.addAfter('a', durationMs(1000));
    queue.addAfter('a', durationMs(3000));
    queue.addAfter('b', durationMs(2000));
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
    await clock.advance(10_000);
    expect(await taken(queue, 2)).toEqual(['a', 'b']);
    expect(queue.depth).toBe(0);
  });

  it('doubles the backoff of a key with each failure until forget', async () => {
    const { clock, queue } = setUp();
    const waits: number[] = [];
    for (let failure = 0; failure < 5; failure += 1) {
      const before = clock.now();
      queue.addFailed('a');
      await clock.advanceToNext();
      waits.push(clock.now() - before);
      queue.done((await queue.take()) ?? '');
    }
    expect(waits).toEqual([5, 10, 20, 40, 80]);
    queue.forget('a');
    queue.addFailed('a');
    await clock.advance(5);
    expect(queue.depth).toBe(1);
  });

  it('never backs off longer than the maximum', async () => {
    const { clock, queue } = setUp();
    for (let failure = 0; failure < 40; failure += 1) {
      queue.addFailed('a');
      await clock.advance(1_000_000);
    }
    expect(await queue.take()).toBe('a');
  });

  it('limits the rate of retries over all keys', async () => {
    const { clock, queue } = setUp();
    for (let key = 0; key < 150; key += 1) queue.addFailed(`key-${key}`);
    await clock.advance(1000);
    expect(queue.depth).toBe(110);
    await clock.advance(4000);
    expect(queue.depth).toBe(150);
  });

  it('resolves pending takes when it closes, and ignores later adds', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('late', durationMs(100));
    const waiting = taken(queue, 2);
    queue.close();
    queue.add('a');
    expect(await waiting).toEqual([undefined, undefined]);
    expect(await queue.take()).toBeUndefined();
    expect(clock.sleeping).toBe(0);
  });
});
