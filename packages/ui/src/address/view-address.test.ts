import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAddress, pageTabs, parseAddress, startAddress, type ViewAddress } from './view-address.ts';

const anyText = fc.string({ minLength: 1, unit: 'grapheme' });
const addresses: fc.Arbitrary<ViewAddress> = fc.record(
  {
    tab: fc.constantFrom(...pageTabs),
    form: fc.constantFrom('map' as const, 'list' as const),
    groupBy: anyText,
    filter: fc.string({ unit: 'grapheme' }),
    isWall: fc.boolean(),
    selected: fc.record({
      kind: fc.constantFrom('node' as const, 'pod' as const, 'nodepool' as const, 'decision' as const),
      name: anyText,
    }),
    language: fc.constantFrom('en' as const, 'ko' as const),
    theme: fc.constantFrom('light' as const, 'dark' as const),
  },
  { requiredKeys: ['tab', 'form', 'groupBy', 'filter', 'isWall'] },
);

describe('the address of the page', () => {
  it('reads back what it wrote, whatever people type', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(parseAddress(formatAddress(address))).toEqual(address);
      }),
    );
  });

  it('is empty for the view that the page starts with', () => {
    expect(formatAddress(startAddress)).toBe('');
    expect(parseAddress('')).toEqual(startAddress);
  });

  it('keeps the colons and slashes of names', () => {
    expect(parseAddress('?select=pod:team-a/web:1').selected).toEqual({ kind: 'pod', name: 'team-a/web:1' });
  });

  it.each([
    '?tab=secrets',
    '?select=node',
    '?select=node:',
    '?select=secret:x',
    '?lang=xx',
    '?theme=',
    '?group=',
  ])('ignores %s, which it does not know', (search) => {
    expect(parseAddress(search)).toEqual(startAddress);
  });

  it('takes ?wall without a value', () => {
    expect(parseAddress('?wall').isWall).toBe(true);
    expect(parseAddress('?wall=0').isWall).toBe(false);
  });
});
