import { describe, expect, it } from 'vitest';
import { parseYaml, parseYamlDocuments, YamlError } from './parse-yaml.ts';

const levels = 100_000;
const expanding = (depth: number) =>
  Array.from({ length: depth }, (_, level) =>
    level === 0 ? 'a0: &a0 [x, x]' : `a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]`,
  ).join('\n');

describe('parsing YAML', () => {
  it.each([
    ['brackets that end the stack', '['.repeat(levels)],
    ['dashes that end the stack', `${'- '.repeat(levels)}a`],
    ['aliases that expand without end', expanding(20)],
    ['a list that nobody closes', 'a: ['],
    ['a key that comes twice', 'a: 1\na: 2'],
    ['an alias of nothing', 'a: *b'],
  ])('refuses %s, in one line', (_, text) => {
    const failure = () => parseYaml(text);
    expect(failure).toThrow(YamlError);
    expect(failure).toThrow(/^[^\n]+$/);
  });

  it('refuses a second document where one is expected', () => {
    expect(() => parseYaml('a: 1\n---\nb: 2')).toThrow('more than one document');
    expect(parseYamlDocuments('a: 1\n---\nb: 2')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each([
    ['', null],
    ['# nothing', null],
    ['{"a": [1, true]}', { a: [1, true] }],
    ['a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
  ])('reads %j', (text, value) => {
    expect(parseYaml(text)).toEqual(value);
  });
});
