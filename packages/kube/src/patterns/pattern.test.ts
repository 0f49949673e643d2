import { describe, expect, it } from 'vitest';
import { re2 } from './re2.ts';

/** What the expression finds first in each text; undefined if nothing. Go's regexp finds the same. */
const found = (pattern: string, ...texts: readonly string[]) =>
  texts.map((text) => re2(pattern).exec(text)?.[0]);

describe('expressions of RE2', () => {
  it.each([
    ['^(?i)(abort|warn)?$', ['ABORT', 'warn', '', 'stop'], ['ABORT', 'warn', '', undefined]],
    ['a(?i)b', ['aB', 'AB'], ['aB', undefined]],
    ['(?i:a)b', ['Ab', 'AB'], ['Ab', undefined]],
    ['(?i)[Y-b_]', ['z', 'B', '_', 'c'], ['z', 'B', '_', undefined]],
    ['(?i)a(?-i)b', ['Ab', 'aB'], ['Ab', undefined]],
    ['(?P<year>\\d{4})', ['in 2026'], ['2026']],
    ['\\Aa\\z', ['a', 'a\n'], ['a', undefined]],
    ['a.b', ['a\rb', 'a\nb'], ['a\rb', undefined]],
    ['(?s)a.b', ['a\nb'], ['a\nb']],
    ['(?m)^b$', ['a\nb\nc'], ['b']],
    ['[[:alpha:]]+', ['1ab2'], ['ab']],
    ['[^[:^digit:]]+', ['ab12'], ['12']],
    ['[]a]+', ['x]a'], [']a']],
    ['[a\\-z_\\/]+', ['b-/_'], ['-/_']],
    ['\\-\\_\\"\\#', ['-_"#'], ['-_"#']],
    ['\\s', ['\u00a0', '\t'], [undefined, '\t']],
    ['[\\S]', [' x'], ['x']],
    ['\\pL\\p{Greek}', ['aΩ'], ['aΩ']],
    ['\\Qa.b\\E', ['a.b', 'axb'], ['a.b', undefined]],
    ['\\x41\\x{42}\\103', ['ABC'], ['ABC']],
    ['{a}]', ['{a}]'], ['{a}]']],
    ['x{,2}', ['x{,2}'], ['x{,2}']],
    ['^+a', ['a'], ['a']],
  ])('%s', (pattern, texts, expected) => {
    expect(found(pattern, ...texts)).toEqual(expected);
  });

  it.each([
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<!a)b', 'invalid or unsupported Perl syntax: `(?<`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['\\y', 'invalid escape sequence: `\\y`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['[[:letter:]]', 'invalid character class range: `[:letter:]`'],
    ['[a', 'missing closing ]: `[a`'],
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
    ['**', 'invalid expression: `**`'],
  ])('are refused: %s', (pattern, problem) => {
    expect(() => re2(pattern)).toThrow(`error parsing regexp: ${problem}`);
  });
});
