import { describe, expect, it } from 'vitest';
import { compilePattern, patternMatcher } from './pattern.ts';

/** What the expression finds first in each text; undefined if nothing. Go's regexp finds the same. */
const found = (pattern: string, ...texts: readonly string[]) =>
  texts.map((text) => compilePattern(pattern).findAll(text, 1)[0]);

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
    ['(?<!a)b', 'invalid named capture: `(?<!a)b`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['\\y', 'invalid escape sequence: `\\y`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['[[:letter:]]', 'invalid character class range: `[:letter:]`'],
    ['[a', 'missing closing ]: `[a`'],
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['a\\', 'trailing backslash at end of expression'],
    ['**', 'missing argument to repetition operator: `*`'],
    [`${'('.repeat(1001)}${')'.repeat(1001)}`, 'expression nests too deeply'],
    ['((a{100}){100}){100}', 'invalid repeat count: `{100}`'],
  ])('are refused: %s', (pattern, problem) => {
    expect(() => compilePattern(pattern)).toThrow(`error parsing regexp: ${problem}`);
  });

  // A backtracking engine needs years for the first and the second, and minutes for the others.
  it.each([
    ['^(a+)+$', `${'a'.repeat(100_000)}b`, false],
    ['(x+x+)+y', 'x'.repeat(100_000), false],
    ['^(@(annually|daily))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$', ' '.repeat(100_000), true],
    ['(.*)(.*)(.*)(.*)(.*)[^a]$', 'a'.repeat(100_000), false],
    ['(a|aa)+$', `${'a'.repeat(100_000)}b`, false],
  ])('match in time linear in the text: %s', (pattern, text, expected) => {
    expect(compilePattern(pattern).test(text)).toBe(expected);
  });

  it('find all matches as Go does', () => {
    expect(compilePattern('a*').findAll('baac')).toEqual(['', 'aa', '']);
    expect(compilePattern('[a-c]').findAll('abcab', 2)).toEqual(['a', 'b']);
    expect(compilePattern('x').findAll('abc')).toEqual([]);
  });

  it.each([
    ['a count for each of many characters', 'a{1000}'.repeat(20)],
    ['counts within counts', '((a{10}b){10}c?){10}'.repeat(20)],
    ['more characters than instructions are allowed', 'a'.repeat(20_001)],
    ['hundreds of classes of Unicode', '\\pL'.repeat(1_000)],
    ['classes of Unicode whose case is ignored', `(?i)${'[\\x{100}-\\x{ffff}]'.repeat(20)}`],
    ['a count that follows an escaped bracket', '\\[a{1000}'.repeat(20)],
    ['a count behind a bracket within a class', '[]a]{1000}[^]b]{1000}'.repeat(20)],
    ['a count behind quoted characters', `${'(\\Q(\\E){1000}'.repeat(20)}`],
    ['a count of a group that names its flags', '(?i:ab){1000}'.repeat(20)],
  ])('are refused as too large: %s', (_, pattern) => {
    expect(() => compilePattern(pattern)).toThrow('error parsing regexp: expression too large');
  });

  it.each([
    ['^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$', 'karpenter.sh'],
    ['^[\\p{L}\\p{M}\\p{N}]{1,500}$', '名前'],
    ['(?i)^[^a-z]{0,1000}$', '123'],
  ])('of real definitions are accepted: %s', (pattern, text) => {
    expect(compilePattern(pattern).test(text)).toBe(true);
  });

  it('do not match a text that could take seconds, and say so', () => {
    const pattern = '^[ab]*a[ab]{900}[cd]$';
    expect(patternMatcher.matchesPattern(pattern, 'ab'.repeat(5_000))).toBe(false);
    expect(patternMatcher.matchesPattern(pattern, 'ab'.repeat(6_000))).toBeUndefined();
    expect(() => compilePattern(pattern).findAll('ab'.repeat(6_000))).toThrow(/12000 characters is too long/);
  });

  it('match nothing where the expression is refused', () => {
    expect(patternMatcher.matchesPattern('(?=a)', 'a')).toBe(false);
  });

  it('are refused at once where a count has no end', () => {
    expect(() => compilePattern(`x{${'1'.repeat(500_000)}`)).toThrow('expression too large');
  });

  it.each([
    ['a{2}', ['aaa'], ['aa']],
    ['a{2,}', ['aaa'], ['aaa']],
    ['a{1,2}', ['aaa'], ['aa']],
    ['a{,2}', ['a{,2}'], ['a{,2}']],
  ])('count as RE2 does: %s', (pattern, texts, expected) => {
    expect(found(pattern, ...texts)).toEqual(expected);
  });
});
