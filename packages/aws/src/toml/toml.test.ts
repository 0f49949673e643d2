import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatToml, parseToml, TomlDate, TomlError, type TomlTable, type TomlValue } from './index.ts';

const read = (text: string) => formatToml(parseToml(text));

describe('parseToml', () => {
  it.each<[string, string, TomlValue]>([
    ['a bare string', 'a = "x"', 'x'],
    ['escapes', String.raw`a = "\t\"\\\u00e9\U0001F600"`, '\t"\\é😀'],
    ['a literal string', String.raw`a = 'C:\temp'`, 'C:\\temp'],
    ['a long string', 'a = """\nx\ny"""', 'x\ny'],
    ['a long string that folds', 'a = """x \\\n   y"""', 'x y'],
    ['quotation marks before the end', 'a = """x"""""', 'x""'],
    ['a long literal', `a = '''\n'x'\n'''`, `'x'\n`],
    ['an integer', 'a = +1_000', 1000n],
    ['other bases', 'a = 0xff', 255n],
    ['a float', 'a = -1.5e3', -1500],
    ['no finite number', 'a = -inf', Number.NEGATIVE_INFINITY],
    ['a boolean', 'a = true', true],
    ['an array over lines', 'a = [ # first\n 1,\n [2],\n]', [1n, [2n]]],
    ['a date', 'a = 2026-01-02T03:04:05Z', new TomlDate('2026-01-02T03:04:05Z')],
    [
      'an inline table',
      'a = { b.c = 1, d = [] }',
      new Map([
        ['b', new Map([['c', 1n]])],
        ['d', []],
      ] as [string, TomlValue][]),
    ],
  ])('parses %s', (_, text, value) => {
    expect(parseToml(text).get('a')).toEqual(value);
  });

  it('parses headers, dotted and quoted keys and arrays of tables', () => {
    const text = `\uFEFF# first\r\n[a.'b c']\r\n"d".e = 1\n[a]\nf = 2\n[[g]]\n[g.h]\ni = 1\n[[g]]\n`;
    expect(parseToml(text)).toEqual(
      new Map<string, TomlValue>([
        [
          'a',
          new Map<string, TomlValue>([
            ['b c', new Map([['d', new Map([['e', 1n]])]])],
            ['f', 2n],
          ]),
        ],
        ['g', [new Map([['h', new Map([['i', 1n]])]]), new Map()]],
      ]),
    );
  });

  it.each([
    ['apiVersion: v1', `expected '=' after key`],
    ['a = 1\na = 2', 'key a is already defined'],
    ['a = 1 b = 2', 'expected newline but got something else'],
    ['[a]\n[a]', 'table a already exists'],
    ['a = {}\n[a.b]', 'key a is not a table'],
    ['a = []\n[[a]]', 'key a is not an array of tables'],
    ['a = [1 2]', 'array elements must be separated by commas'],
    ['a = {b = 1,}', 'inline table entries must be separated by commas'],
    ['a = "x', 'unterminated string'],
    ['a = """x', 'unterminated multiline string'],
    [String.raw`a = "\q"`, `invalid escape character 'q'`],
    [String.raw`a = "\ud800"`, 'invalid unicode escape'],
    ['a = 007', 'number 007 cannot have a leading zero'],
    ['a = 1__0', 'invalid number 1__0'],
    ['a = 9223372036854775808', 'integer 9223372036854775808 does not fit 64 bits'],
    ['a = truely', 'invalid value'],
    ['= 1', 'invalid character at start of key: ='],
    ['[a', `expected ']' after table name`],
  ])('rejects %j', (text, message) => {
    expect(() => parseToml(text)).toThrow(message);
  });

  it('reports the line of an error', () => {
    expect(() => parseToml('a = 1\nb')).toThrow(expect.objectContaining({ line: 2 }));
    expect(() => parseToml('a')).toThrow(TomlError);
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
        const text = formatToml(document);
        expect(formatToml(parseToml(text))).toBe(text);
      }),
    );
  });
});
