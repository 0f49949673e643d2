import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isNestedTooDeeply } from './yaml-nesting.ts';

const indented = (levels: number, line: (level: number) => string) =>
  Array.from({ length: levels }, (_, level) => line(level)).join('\n');

/** Texts with so many levels. */
const forms: readonly [string, (levels: number) => string][] = [
  ['lists in brackets', (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`],
  ['brackets that nobody closes', (levels) => '['.repeat(levels)],
  ['maps in braces', (levels) => `${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`],
  ['lists and maps in turn', (levels) => '[{a: '.repeat(levels / 2)],
  ['lists on one line', (levels) => `${'- '.repeat(levels)}a`],
  ['explicit keys on one line', (levels) => `${'? '.repeat(levels)}a`],
  ['explicit keys and lists in turn', (levels) => `${'? - '.repeat(levels / 2)}a`],
  ['maps on one line', (levels) => `${'a: '.repeat(levels)}a`],
  ['maps without keys on one line', (levels) => `${': '.repeat(levels)}a`],
  ['maps in maps', (levels) => indented(levels, (level) => `${' '.repeat(level)}a:`)],
  ['explicit keys', (levels) => indented(levels, (level) => `${' '.repeat(level)}?`)],
  [
    'lists as far left as their keys',
    (levels) => indented(levels / 3, (level) => `${' '.repeat(2 * level)}a:\n${' '.repeat(2 * level)}- b:`),
  ],
  ['lists under each other', (levels) => indented(levels, (level) => `${' '.repeat(level)}-`)],
];

describe('YAML', () => {
  it.each(forms)('is too deep with many %s', (_, text) => {
    expect(isNestedTooDeeply(text(20_000))).toBe(true);
  });

  it.each(forms)('can be parsed with 240 levels of %s', (_, text) => {
    expect(isNestedTooDeeply(text(240))).toBe(false);
    const documents = parseAllDocuments(text(240));
    expect(documents.flatMap(({ errors }) => errors.map(({ code }) => code))).not.toContain(
      'RESOURCE_EXHAUSTION',
    );
  });

  it.each([
    ['a script full of brackets', `data: |\n  ${'[ [ { - '.repeat(5_000)}`],
    ['a quoted text full of brackets', `data: "${'[{'.repeat(5_000)}"`],
    ['a comment full of brackets', `a: 1 # ${'[{ - '.repeat(5_000)}`],
    ['a far right scalar', `a:\n${' '.repeat(5_000)}b: 1`],
    ['a long list of lists', '- [1, {a: 2}]\n'.repeat(5_000)],
    ['many documents', 'a:\n  b: [1]\n---\n'.repeat(2_000)],
    ['text that is no YAML', ']}]}: - - ? !!'],
  ])('is not too deep with %s', (_, text) => {
    expect(isNestedTooDeeply(text)).toBe(false);
  });
});
