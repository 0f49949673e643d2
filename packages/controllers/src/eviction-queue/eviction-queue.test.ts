import { boundPod } from '@karpenter/testkit/cluster-objects';
import { beforeEach, describe, expect, it } from 'vitest';
import { EvictionQueue } from './eviction-queue.ts';

let queue: EvictionQueue;
let enqueued: string[];

beforeEach(() => {
  queue = new EvictionQueue();
  enqueued = [];
  queue.start((key) => enqueued.push(key));
});

const web = boundPod('web', 'n', { uid: 'uid-1' });
const key = 'default/web/uid-1';
const add = (deadline: number | undefined, pod = web) => queue.add(pod, { nodeName: 'n', deadline });

describe('a pod that is added again', () => {
  it('keeps the earlier of its deadlines', () => {
    add(undefined);
    add(200);
    expect(queue.get(key)?.deadline).toBe(200);
    add(300);
    add(undefined);
    expect(queue.get(key)?.deadline).toBe(200);
    add(100);
    expect(queue.get(key)?.deadline).toBe(100);
  });

  it('is enqueued again only when its deadline became earlier', () => {
    add(200);
    add(200);
    add(300);
    expect(enqueued).toEqual([key]);
    add(100);
    expect(enqueued).toEqual([key, key]);
  });

  it('is a separate entry if its uid differs', () => {
    add(undefined);
    add(undefined, boundPod('web', 'n', { uid: 'uid-2' }));
    expect(queue.size).toBe(2);
  });
});

describe('a pod whose eviction was accepted', () => {
  const evict = () => {
    add(undefined);
    queue.accepted({ namespace: 'default', name: 'web', uid: 'uid-1', nodeName: 'n', deadline: undefined });
    queue.remove(key);
  };

  it('is not evicted again while the cache does not show it terminating', () => {
    evict();
    add(undefined);
    expect(queue.size).toBe(0);
  });

  it('is queued again once it terminates, for its deletion at the deadline', () => {
    evict();
    const { metadata } = web;
    add(200, { ...web, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    expect(queue.get(key)?.deadline).toBe(200);
  });
});

it('doubles the backoff of a pod from 100 ms up to 10 s, and starts over after the pod was removed', () => {
  add(undefined);
  const waits = Array.from({ length: 9 }, () => queue.nextTry(key));
  expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]);
  queue.remove(key);
  add(undefined);
  expect(queue.nextTry(key)).toBe(100);
});
