import { describe, expect, it } from 'vitest';
import { maxInt64, minInt64, parseInt64 } from './int64.ts';

describe('parseInt64', () => {
  it.each([
    ['0', 0n],
    ['05', 5n],
    ['+5', 5n],
    ['-3', -3n],
    ['-0', 0n],
    ['9223372036854775807', maxInt64],
    ['-9223372036854775808', minInt64],
    ['0000000000000000000000000000000001', 1n],
  ])('reads %s', (text, integer) => {
    expect(parseInt64(text)).toBe(integer);
  });

  it.each([
    '',
    '+',
    '-',
    ' 5',
    '5 ',
    '5.0',
    '1e3',
    '0x10',
    '1_000',
    '--1',
    'five',
    '9223372036854775808',
    '٣',
  ])('does not read "%s"', (text) => {
    expect(parseInt64(text)).toBeUndefined();
  });
});
