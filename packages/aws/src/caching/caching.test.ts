import { durationMs } from '@karpenter/core/values';
import { VirtualClock } from '@karpenter/testkit/clock';
import { describe, expect, it } from 'vitest';
import { ExpiringMap } from './expiring-map.ts';
import { ObjectCache } from './object-cache.ts';
import { allPages, pageAfter } from './paging.ts';
import { SharedCalls } from './shared-calls.ts';

describe('an expiring map', () => {
  it('drops entries after its lifetime or that of the entry', async () => {
    const clock = new VirtualClock();
    const map = new ExpiringMap<string, number>({ clock, lifetime: durationMs(10) });
    map.set('a', 1);
    map.set('b', 2, durationMs(5));
    await clock.advance(5);
    expect([map.get('a'), map.get('b'), [...map.entries()]]).toEqual([1, undefined, [['a', 1]]]);
    await clock.advance(5);
    expect([map.has('a'), map.takeExpired(), map.takeExpired()]).toEqual([false, ['a', 'b'], []]);
  });
});

describe('an object cache', () => {
  it('computes once for the same object and inputs, and again for others', () => {
    const cache = new ObjectCache<object, number>();
    const [one, other] = [{}, {}];
    let computed = 0;
    const ask = (subject: object, ...inputs: readonly unknown[]) =>
      cache.get(subject, inputs, () => {
        computed += 1;
        return computed;
      });
    expect([ask(one, 'a', other), ask(one, 'a', other), ask(one, 'a', {}), ask(one, 'a')]).toEqual([
      1, 1, 2, 3,
    ]);
    expect([ask(other, 'a'), ask(one, 'a'), ask(one, 'a', other)]).toEqual([4, 3, 1]);
  });

  it('drops the oldest of many results', () => {
    const cache = new ObjectCache<object, string>();
    const subject = {};
    for (let input = 0; input < 17; input += 1) cache.get(subject, [input], () => 'first');
    expect(cache.get(subject, [0], () => 'second')).toBe('second');
    expect(cache.get(subject, [16], () => 'second')).toBe('first');
  });
});

describe('shared calls', () => {
  it('make one call for concurrent callers, and another afterwards, even after a failure', async () => {
    const shared = new SharedCalls<string, number>();
    let calls = 0;
    const call = async () => {
      calls += 1;
      if (calls === 1) throw new Error('first');
      return calls;
    };
    const [a, b] = await Promise.allSettled([shared.call('k', call), shared.call('k', call)]);
    expect([a?.status, b?.status, calls]).toEqual(['rejected', 'rejected', 1]);
    expect(await shared.call('k', call)).toBe(2);
  });
});

describe('pages', () => {
  it('are read to the end, including empty ones', async () => {
    const pages: readonly { readonly items?: readonly number[]; readonly NextToken?: string }[] = [
      { items: [1], NextToken: 'a' },
      { items: [], NextToken: 'b' },
      { items: [2], NextToken: '' },
    ];
    const tokens: unknown[] = [];
    const all = await allPages(
      async (token) => {
        tokens.push(pageAfter(token));
        return pages[tokens.length - 1] ?? {};
      },
      ({ items }) => items,
    );
    expect([all, tokens]).toEqual([
      [1, 2],
      [{}, { NextToken: 'a' }, { NextToken: 'b' }],
    ]);
  });
});
