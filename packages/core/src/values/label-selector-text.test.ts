import { describe, expect, it } from 'vitest';
import { compileLabelSelector } from './label-selector.ts';
import { parseLabelSelector } from './label-selector-text.ts';

const matches = (text: string, labels: Readonly<Record<string, string>>) =>
  compileLabelSelector(parseLabelSelector(text))(labels);

describe('a selector written as text', () => {
  it.each([
    ['a=b', { a: 'b' }, { a: 'c' }],
    ['a == b', { a: 'b' }, {}],
    ['a!=b', {}, { a: 'b' }],
    ['a in (b, c)', { a: 'c' }, { a: 'd' }],
    ['a notin (b,c)', { a: 'd' }, { a: 'b' }],
    ['a', { a: '' }, { b: '' }],
    ['!a', { b: '' }, { a: '' }],
    ['a=b,c in (d,e),!f', { a: 'b', c: 'e' }, { a: 'b', c: 'e', f: '' }],
    ['karpenter.sh/nodepool=default', { 'karpenter.sh/nodepool': 'default' }, {}],
    ['', { any: 'label' }, undefined],
  ] as const)('%j selects as kubectl does', (text, selected, other) => {
    expect(matches(text, selected)).toBe(true);
    if (other !== undefined) expect(matches(text, other)).toBe(false);
  });

  it.each(['a=b=c', 'a in b', 'a in (b', '=b', 'a b', 'a>1', 'a=b c', '!'])('rejects %j', (text) => {
    expect(() => compileLabelSelector(parseLabelSelector(text))).toThrow(
      expect.objectContaining({ code: 'invalid-selector' }),
    );
  });
});
