import { describe, expect, it } from 'vitest';
import { bySize, valueAt } from './by-size.ts';
import { deviceCount, deviceTable } from './device.ts';
import { familyLine, familyTable, isAmong } from './family-table.ts';
import { interfaces } from './interfaces.ts';
import { processor } from './processor.ts';
import { metalSize, virtualSize } from './size.ts';

describe('the notation', () => {
  it('parses interfaces and addresses per network card', () => {
    expect(interfaces('15x50')).toEqual({ perCard: [15], addresses: 50 });
    expect(interfaces('8+7x50')).toEqual({ perCard: [8, 7], addresses: 50 });
    expect(interfaces('4*15x50')).toEqual({ perCard: [15, 15, 15, 15], addresses: 50 });
  });

  it('parses manufacturer and clock of a processor', () => {
    expect(processor('G2.5')).toEqual({ manufacturer: 'AWS', architecture: 'arm64', ghz: 2.5 });
    expect(processor('A3.6')).toEqual({ manufacturer: 'AMD', architecture: 'x86_64', ghz: 3.6 });
    expect(processor('I').ghz).toBeUndefined();
  });

  it('parses values of single sizes', () => {
    const values = bySize('12:1800 metal-12xl:0', Number);
    expect(valueAt(values, virtualSize('12'))).toBe(1800);
    expect(valueAt(values, metalSize('metal=12'))).toBe(1800);
    expect(valueAt(values, metalSize('metal-12xl'))).toBe(0);
    expect(valueAt(values, virtualSize('l'))).toBeUndefined();
  });

  it('looks up a family or its c/m/r line', () => {
    const table = familyTable('families | value\n6g x8g | a\nm6g | b', (cell) => cell);
    expect(['c6g', 'm6g', 'x8g', 'c7g'].map(table)).toEqual(['a', 'b', 'a', undefined]);
    expect(isAmong(new Set(['7i-flex']), 'm7i-flex')).toBe(true);
    expect(['c8gd', 'mac2', 'r5b', 'x8g', 'im4gn'].map(familyLine)).toEqual([
      '8gd',
      'mac2',
      '5b',
      'x8g',
      'im4gn',
    ]);
  });

  it('parses device counts, and slices as a count of 0 with less memory', () => {
    const device = deviceTable('head\nL4 | gpu | NVIDIA | L4 | 22888 | |').get('L4');
    if (device === undefined) throw new Error('no device');
    expect(deviceCount(device, '4')).toMatchObject({ count: 4, memoryMiB: 22888 });
    expect(deviceCount(device, '1/8')).toMatchObject({ count: 0, memoryMiB: 2861 });
  });
});
