import { describe, expect, it } from 'vitest';
import { customTable } from './custom-table.ts';

const first = {
  metadata: { name: 't1', labels: { 'a.b/c': 'lab' }, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    a: 'text',
    list: ['x', 'y'],
    obj: { k: 1, a: 'b' },
    items: [{ n: 1 }, { n: 2 }],
    n: 5,
    f: 1.5,
    b: true,
    nul: null,
  },
  status: {
    conditions: [
      { type: 'X', status: 'False' },
      { type: 'Ready', status: 'True' },
    ],
  },
};
const second = {
  metadata: { name: 't2' },
  spec: {
    list: [],
    n: 'str',
    b: 'x',
    a: '2020-01-01T00:00:00Z',
    f: 1e7,
    items: [{ n: { z: 1, a: 2 } }],
    obj: [],
  },
  status: {},
};
const now = Date.parse('2026-01-01T00:03:20Z');

describe('tables of custom resources', () => {
  // A real API server returned these cells for the two objects.
  it.each([
    ['string', '.spec.a', 'text', '2020-01-01T00:00:00Z'],
    ['string', '.spec.list', '["x","y"]', '[]'],
    ['string', '.spec.obj', '{"a":"b","k":1}', '[]'],
    ['string', '.spec.list[1]', 'y', null],
    ['string', '.spec.list[-1]', 'y', null],
    ['string', '.spec.items[*].n', '1', '{"a":2,"z":1}'],
    ['string', '.status.conditions[?(@.type=="Ready")].status', 'True', null],
    ['string', ".status.conditions[?(@.type=='Ready')].status", 'True', null],
    ['string', ".metadata.labels['a\\.b/c']", 'lab', null],
    ['string', '.metadata.labels.a\\.b/c', 'lab', null],
    ['integer', '.spec.n', 5, null],
    ['number', '.spec.f', 1.5, 10_000_000],
    ['integer', '.spec.a', null, null],
    ['boolean', '.spec.b', true, null],
    ['string', '.spec.n', '5', 'str'],
    ['string', '.spec.b', 'true', 'x'],
    ['date', '.spec.a', '<invalid>', '6y2d'],
    ['date', '.spec.nope', null, null],
    ['string', '.spec.nul', '<no value>', null],
    ['date', '.metadata.creationTimestamp', '3m20s', null],
  ])('shows a %s at %s', (type, jsonPath, ofFirst, ofSecond) => {
    const table = customTable([{ name: 'Column', type, jsonPath }]);
    expect(table.cells(first, now)).toEqual(['t1', ofFirst]);
    expect(table.cells(second, now)).toEqual(['t2', ofSecond]);
  });

  it('shows the age when the definition names no columns', () => {
    const table = customTable([]);
    expect(table.columns.map(({ name, type }) => [name, type])).toEqual([
      ['Name', 'string'],
      ['Age', 'date'],
    ]);
    expect(table.cells(first, now)).toEqual(['t1', '3m20s']);
  });

  it('shows only name and age when a definition has an invalid path', () => {
    const tooLong = '.a'.repeat(5_001);
    for (const jsonPath of [
      '.spec[',
      '.a..',
      '.spec.x[1:2:3]',
      '.spec.\\',
      '.x[?(@.a=="b" && @.c)]',
      tooLong,
    ]) {
      const view = customTable([{ name: 'X', type: 'string', jsonPath }]);
      expect(view.columns.map(({ name }) => name)).toEqual(['Name', 'Age']);
    }
  });

  it('give up a search that multiplies', () => {
    const level = (below: unknown) => ({ a: Array.from({ length: 40 }, () => below) });
    const object = { metadata: { name: 't' }, spec: level(level(level({ a: 1 }))) };
    const { cells } = customTable([
      { name: 'c', type: 'string', jsonPath: `.spec${'..a'.repeat(12)}..nope` },
    ]);
    expect(cells(object as never, now)).toEqual(['t', null]);
  });

  it('share one search among all columns and filters of a row', () => {
    const item = { a: Array.from({ length: 100 }, () => ({ a: { a: 1 } })) };
    const object = { metadata: { name: 't' }, spec: Array.from({ length: 100 }, () => item), last: 'x' };
    const paths = ['.spec..a..a..nope', '.spec[?(@..a..a..nope)].x'];
    const multiplying = Array.from({ length: 5_000 }, (_, index) => paths[index % 2] ?? '');
    const { cells } = customTable(
      ['.last', ...multiplying].map((jsonPath) => ({ name: 'c', type: 'string', jsonPath })),
    );
    expect(cells(object as never, now)).toEqual(['t', 'x', ...multiplying.map(() => null)]);
  });

  it('leave cells empty once a row has megabytes of text', () => {
    const object = { metadata: { name: 't' }, spec: { a: 'x'.repeat(1_000_000) } };
    const columns = Array.from({ length: 1_000 }, () => ({ name: 'c', type: 'string', jsonPath: '.spec' }));
    const row = customTable(columns).cells(object as never, now);
    expect(row).toHaveLength(1_001);
    expect(row.filter((cell) => cell !== null)).toHaveLength(5);
  });

  it('compare after as many blanks as there are', () => {
    const object = { metadata: { name: 't' }, spec: [{ a: 1 }, { a: 2, b: 'y' }] };
    const blanks = ' '.repeat(9_000);
    const paths = [`.spec[?(@.a==${blanks}2)].b`, `.spec[?(@.b${blanks}!=1)].b`, '.spec[?(@.a>=2)].b'];
    const { cells } = customTable(paths.map((jsonPath) => ({ name: 'c', type: 'string', jsonPath })));
    expect(cells(object as never, now)).toEqual(['t', 'y', 'y', 'y']);
  });
});
