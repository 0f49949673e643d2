import { describe, expect, it } from 'vitest';
import { count, known, lines, rows, share, words } from './table.ts';

describe('a table', () => {
  it('has rows of cells below its header', () => {
    expect(rows('\na | b\n1 | 2 3\n\n4 | -\n')).toEqual([
      ['1', '2 3'],
      ['4', '-'],
    ]);
  });

  it('can be read line by line', () => {
    expect(lines('\na\n  b\n \n')).toEqual(['a', '  b']);
  });

  it('has cells of several values, or none', () => {
    expect(words('l x  2')).toEqual(['l', 'x', '2']);
    expect(words('-')).toEqual([]);
    expect(words(undefined)).toEqual([]);
  });

  it('gives each family its own value or the shared one', () => {
    expect(share(['2', '4'], 1)).toBe('4');
    expect(share(['8'], 2)).toBe('8');
  });

  it('distinguishes none from unknown', () => {
    expect(count('-')).toBe(0);
    expect(count('474')).toBe(474);
    expect(known('?')).toBeUndefined();
    expect(known('0.5')).toBe(0.5);
  });
});
