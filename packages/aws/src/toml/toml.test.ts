import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortedTable } from '../user-data/index.ts';
import { formatToml, parseToml, TomlDate, type TomlTable, type TomlValue } from './index.ts';

function fail(problem: string): never {
  throw new Error(problem);
}

const parsed = (text: string) => parseToml(text, fail);
const read = (text: string) => formatToml(parsed(text));

describe('parseToml', () => {
  it.each<[string, string, TomlValue]>([
    ['an integer', 'a = +1_000', 1000n],
    ['the largest integer', 'a = 9223372036854775807', 2n ** 63n - 1n],
    ['a float', 'a = 1.0', 1],
    ['an array over lines', 'a = [ # first\n 1,\n [2],\n]', [1n, [2n]]],
    ['a date', 'a = 2026-01-02', new TomlDate('2026-01-02')],
    ['a time with an offset', 'a = 2026-01-02T03:04:05+02:00', new TomlDate('2026-01-02T03:04:05+02:00')],
    [
      'an inline table',
      'a = { b.c = 1, d = [] }',
      new Map([
        ['b', new Map([['c', 1n]])],
        ['d', []],
      ] as [string, TomlValue][]),
    ],
  ])('keeps the type of %s', (_, text, value) => {
    expect(parsed(text).get('a')).toEqual(value);
  });

  it('parses headers, dotted and quoted keys and arrays of tables', () => {
    const text = `\uFEFF# first\r\n[a.'b c']\r\n"d".e = 1\n[a]\nf = 2\n[[g]]\n[g.h]\ni = 1\n[[g]]\n`;
    expect(read(text)).toBe(`[a]\nf = 2\n\n[a.'b c']\n[a.'b c'.d]\ne = 1\n\n[[g]]\n[g.h]\ni = 1\n\n[[g]]\n`);
  });

  it('reads keys that JavaScript objects have of their own', () => {
    expect([...parsed('__proto__ = 1\nconstructor = 2').keys()]).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    ['apiVersion: v1', `expected '=' after key`],
    ['a = 1\na = 2', 'trying to redefine an already defined table or value'],
    ['a = 1 b = 2', 'each key-value declaration must be followed by an end-of-line'],
    ['a = "secret', 'unfinished string'],
    ['a = 007', 'illegal leading zero'],
    ['a = 9223372036854775808', 'integer 9223372036854775808 does not fit 64 bits'],
    ['a = [[-9223372036854775809]]', 'integer -9223372036854775809 does not fit 64 bits'],
  ])('rejects %j in a few words, without an excerpt of the text', (text, message) => {
    expect(() => parsed(text)).toThrow(new Error(message));
  });
});

describe('formatToml', () => {
  it('puts values before tables and a blank line before each header not directly below its parent', () => {
    expect(read(`[a.b]\nx = 1\n[a.c]\n[d]\ny = 'z'\n[d.e]\n`)).toBe(
      `[a]\n[a.b]\nx = 1\n\n[a.c]\n\n[d]\ny = 'z'\n\n[d.e]\n`,
    );
  });

  it('quotes keys and strings only if needed', () => {
    expect(read(`"a-b" = "it's"\n'a.b' = "x"\nc = "l1\\nl2"`)).toBe(
      `a-b = "it's"\n'a.b' = 'x'\nc = "l1\\nl2"\n`,
    );
  });

  it('writes floats, dates, arrays and arrays of tables', () => {
    const text = `f = 2.0\nd = 2026-01-02\na = [['x', 'y'], []]\nm = [1, {n = true}]\n\n[[t]]\nk = 1\n\n[[t]]\n`;
    expect(read(text)).toBe(text);
  });

  it('writes what parses to the same value', () => {
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => text.replace(/\p{Surrogate}/gu, '')),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true }),
      fc.boolean(),
    );
    const { table } = fc.letrec<{ table: TomlTable; value: TomlValue }>((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(leaf, { maxLength: 3 }), tie('table')),
      table: fc
        .array(fc.tuple(fc.string(), tie('value')), { maxLength: 4 })
        .map((entries) => new Map(entries)),
    }));
    fc.assert(
      fc.property(table, (document) => {
        // User data is sorted by key; the parser moves keys that look like array indexes to the front.
        const text = formatToml(sortedTable(document));
        expect(formatToml(sortedTable(parsed(text)))).toBe(text);
      }),
    );
  });
});
