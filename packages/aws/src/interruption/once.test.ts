import { minutes } from '@karpenter/core/api';
import { beforeEach, describe, expect, it } from 'vitest';
import { Once } from './once.ts';

let now: number;
let once: Once;
let runs: number;

beforeEach(() => {
  now = 0;
  runs = 0;
  once = new Once({ now: () => now, lifetime: minutes(10) });
});

const work = async () => {
  runs += 1;
};

describe('Once', () => {
  it('runs work once per key', async () => {
    await once.run('a', work);
    await once.run('a', work);
    await once.run('b', work);
    expect(runs).toBe(2);
  });

  it('resolves concurrent callers when the work ends', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let ended = 0;
    const asked = Array.from({ length: 3 }, () => once.run('a', () => gate).then(() => ended++));
    await Promise.resolve();
    expect(ended).toBe(0);
    open();
    await Promise.all(asked);
    expect(ended).toBe(3);
  });

  it('rejects concurrent callers, and runs the work again later', async () => {
    const failing = () => Promise.reject(new Error('no'));
    const asked = [once.run('a', failing), once.run('a', work)];
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await once.run('a', work);
    expect(runs).toBe(1);
  });

  it('runs the work again after the lifetime', async () => {
    await once.run('a', work);
    now = minutes(10) - 1;
    await once.run('a', work);
    expect(runs).toBe(1);
    now += 1;
    await once.run('a', work);
    expect(runs).toBe(2);
  });
});
