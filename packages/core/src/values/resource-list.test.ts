import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multiplyQuantity, type Quantity } from './quantity.ts';
import {
  equalResources,
  fits,
  formatResourceList,
  maxResources,
  noResources,
  parseResourceList,
  resourceAmount,
  subtractResources,
  sumResources,
} from './resource-list.ts';

const list = (json: unknown) => parseResourceList(json);
const amounts = (sign: bigint) =>
  fc.dictionary(
    fc.constantFrom('cpu', 'memory', 'pods', 'example.com/gpu', 'constructor'),
    fc
      .bigInt({ min: sign * 10n ** 20n, max: 10n ** 20n })
      .map((nano): Quantity => ({ nano, format: 'DecimalSI' })),
  );
const anyList = amounts(-1n);
const positiveList = amounts(0n);

describe('parseResourceList', () => {
  it('reads texts and numbers', () => {
    expect(formatResourceList(list({ memory: '7.5Gi', cpu: 5 }))).toBe('{"cpu":"5","memory":"7680Mi"}');
  });

  it('reads an absent map as empty', () => {
    expect(list(undefined)).toBe(noResources);
    expect(list(null)).toBe(noResources);
    expect(formatResourceList(noResources)).toBe('{}');
  });

  it('names the resource of an invalid quantity', () => {
    expect(() => parseResourceList({ cpu: '1x' }, 'spec.limits')).toThrow(
      'spec.limits.cpu: "1x" is not a quantity',
    );
    expect(() => parseResourceList({ cpu: null }, 'spec.limits')).toThrow(
      'spec.limits.cpu: "null" is not a quantity',
    );
    expect(() => parseResourceList({ cpu: ['1'] }, 'l')).toThrow(
      'is not a quantity; write a number or a text',
    );
  });

  it.each(['4', 4, ['cpu'], true])('rejects %j instead of a map', (json) => {
    expect(() => parseResourceList(json, 'spec.limits')).toThrow('is not a map of quantities');
  });
});

describe('resource lists', () => {
  const node = list({ cpu: '4', memory: '8Gi' });

  it('add up resource by resource', () => {
    const sum = sumResources(node, list({ cpu: '500m', pods: 3 }), noResources);
    expect(formatResourceList(sum)).toBe('{"cpu":"4500m","memory":"8Gi","pods":"3"}');
  });

  it('take the largest of each resource', () => {
    const max = maxResources(node, list({ cpu: '500m', memory: '9Gi', pods: 3 }));
    expect(formatResourceList(max)).toBe('{"cpu":"4","memory":"9Gi","pods":"3"}');
  });

  it('may become negative, but only for their own resources', () => {
    const left = subtractResources(node, list({ cpu: '5', 'example.com/gpu': 1 }));
    expect(formatResourceList(left)).toBe('{"cpu":"-1","memory":"8Gi"}');
  });

  it('count a missing resource as zero', () => {
    expect(resourceAmount(node, 'pods').nano).toBe(0n);
    expect(resourceAmount(node, 'constructor').nano).toBe(0n);
    expect(equalResources(node, list({ cpu: 4, memory: '8192Mi', pods: 0 }))).toBe(true);
    expect(equalResources(node, list({ cpu: 4 }))).toBe(false);
  });

  it('add, subtract and compare as vectors do', () => {
    fc.assert(
      fc.property(anyList, anyList, anyList, (a, b, c) => {
        expect(equalResources(sumResources(a, b), sumResources(b, a))).toBe(true);
        expect(equalResources(sumResources(sumResources(a, b), c), sumResources(a, b, c))).toBe(true);
        expect(equalResources(subtractResources(sumResources(a, b), b), a)).toBe(true);
        expect(Object.keys(subtractResources(a, b))).toEqual(Object.keys(a));
        expect(equalResources(maxResources(a, b), maxResources(b, a, b))).toBe(true);
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });

  it('print as JSON that reads back', () => {
    fc.assert(
      fc.property(anyList, (amount) => {
        expect(equalResources(parseResourceList(JSON.parse(formatResourceList(amount))), amount)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('fits', () => {
  const node = list({ cpu: '4', memory: '8Gi', pods: 0 });

  it.each([
    [{ cpu: '4', memory: '8Gi' }, true],
    [{ cpu: '4001m' }, false],
    [{ 'example.com/gpu': 1 }, false],
    [{ 'example.com/gpu': 0, pods: 0 }, true],
    [{}, true],
  ])('answers for %j', (requests, isFitting) => {
    expect(fits(list(requests), node)).toBe(isFitting);
  });

  it('fits nothing on a node with a negative amount of any resource', () => {
    const overdrawn = list({ cpu: '4', memory: '-1' });
    expect(fits(list({ cpu: '1' }), overdrawn)).toBe(false);
    expect(fits(noResources, overdrawn)).toBe(false);
  });

  it('is true exactly while something is left of every requested resource', () => {
    fc.assert(
      fc.property(positiveList, positiveList, (requests, available) => {
        const left = subtractResources(sumResources(available, requests), requests);
        expect(equalResources(left, available)).toBe(true);
        expect(fits(requests, sumResources(available, requests))).toBe(true);
        const more = maxResources(requests, { cpu: { nano: 1n, format: 'DecimalSI' } });
        const twice = Object.fromEntries(
          Object.entries(sumResources(available, more)).map(([name, amount]) => [
            name,
            multiplyQuantity(amount, 2),
          ]),
        );
        expect(fits(twice, available)).toBe(false);
      }),
      { numRuns: rounds({ quick: 2_000, full: 10_000 }) },
    );
  });
});
