import { describe, expect, it } from 'vitest';
import { humanDuration, since } from './age.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('ages in tables', () => {
  it.each([
    [0, '0s'],
    [-1 * second, '0s'],
    [-5 * second, '<invalid>'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [3 * minute + 20 * second, '3m20s'],
    [10 * minute + 20 * second, '10m'],
    [179 * minute, '179m'],
    [3 * hour + 5 * minute, '3h5m'],
    [8 * hour + 5 * minute, '8h'],
    [47 * hour, '47h'],
    [2 * day + 3 * hour, '2d3h'],
    [8 * day + 3 * hour, '8d'],
    [729 * day, '729d'],
    [2 * 365 * day + 31 * day, '2y31d'],
    [9 * 365 * day + 31 * day, '9y'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it('shows an unknown time as unknown', () => {
    expect(since('', 0)).toBe('<unknown>');
  });
});
