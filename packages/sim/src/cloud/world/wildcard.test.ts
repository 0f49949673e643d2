import { describe, expect, it } from 'vitest';
import { matchesPattern } from './wildcard.ts';

describe('the wildcards of EC2', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'ab', false],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['**', 'a\nb', true],
    ['a*b', 'a/x/b', true],
    ['a*b', 'a/x/bc', false],
    ['*ab*abc', 'abababc', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['a\\\\?', 'a\\b', true],
    ['a.b', 'axb', false],
    ['a\\', 'a\\', true],
  ])('%j on %j: %s', (pattern, text, matches) => {
    expect(matchesPattern(pattern, text)).toBe(matches);
  });

  it.each(['*a'.repeat(60), '*'.repeat(1_000_000), '*a*'.repeat(300_000)])(
    'decide at once however many there are',
    (stars) => {
      expect(matchesPattern(`${stars}b`, 'a'.repeat(255))).toBe(false);
    },
  );
});
