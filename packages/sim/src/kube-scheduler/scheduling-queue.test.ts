import { describe, expect, it } from 'vitest';
import { podInfo } from './pods/pod-info.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

const pod = (name: string, priority = 0, app = name) =>
  podInfo({
    metadata: { name, namespace: 'default', labels: { app } },
    spec: { containers: [{ name: 'main' }], priority },
  });

function drain(queue: SchedulingQueue, now: number): readonly string[] {
  const names: string[] = [];
  for (let next = queue.pop(now); next !== undefined; next = queue.pop(now))
    names.push(next.pod.metadata?.name ?? '');
  return names;
}

describe('the scheduling queue', () => {
  it('returns pods by priority, then by arrival', () => {
    const queue = new SchedulingQueue();
    for (const one of [pod('first'), pod('second'), pod('urgent', 100)]) queue.add(one);

    expect(drain(queue, 0)).toEqual(['urgent', 'first', 'second']);
  });

  it('keeps a failed pod until an event may help it, and then for its backoff, which doubles up to ten seconds', () => {
    const queue = new SchedulingQueue();
    queue.add(pod('stuck'));
    const waits: number[] = [];
    let now = 0;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect(drain(queue, now)).toEqual(['stuck']);
      queue.failed('default/stuck', now);
      expect(drain(queue, now + 60_000)).toEqual([]);
      queue.activate(() => true);
      const next = queue.nextAt() ?? 0;
      expect(drain(queue, next - 1)).toEqual([]);
      waits.push(next - now);
      now = next;
    }

    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('retries a pod after five minutes without any event', () => {
    const queue = new SchedulingQueue();
    queue.add(pod('stuck'));
    queue.pop(0);
    queue.failed('default/stuck', 0);

    expect(queue.nextAt()).toBe(300_000);
    expect(drain(queue, 299_999)).toEqual([]);
    expect(drain(queue, 300_000)).toEqual(['stuck']);
  });

  it('asks once per class of equal pods whether an event may help', () => {
    const queue = new SchedulingQueue();
    for (const name of ['a', 'b', 'c']) queue.add(pod(name, 0, 'same'));
    queue.add(pod('d', 0, 'other'));
    for (const name of drain(queue, 0)) queue.failed(`default/${name}`, 0);
    const asked: string[] = [];

    queue.activate(({ identity }) => {
      asked.push(identity.labels['app'] ?? '');
      return identity.labels['app'] === 'same';
    });

    expect(asked).toEqual(['same', 'other']);
    expect(drain(queue, 1_000)).toEqual(['a', 'b', 'c']);
  });

  it('removes a pod in any state', () => {
    const queue = new SchedulingQueue();
    for (const name of ['active', 'failed', 'backoff']) queue.add(pod(name));
    expect(queue.pop(0)?.key).toBe('default/active');
    queue.remove('default/active');
    queue.pop(0);
    queue.failed('default/failed', 0);
    queue.remove('default/failed');
    queue.pop(0);
    queue.retry('default/backoff', 0);
    queue.remove('default/backoff');
    queue.activate(() => true);

    expect(drain(queue, 600_000)).toEqual([]);
    expect(queue.size).toBe(0);
  });
});
