import { describe, expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

describe('the nearest name', () => {
  const contexts = ['production', 'staging', 'arn:aws:eks:us-west-2:1:cluster/dev', 'kind'];

  it.each([
    ['prodution', 'production'],
    ['Staging', 'staging'],
    ['dev', 'arn:aws:eks:us-west-2:1:cluster/dev'],
    ['kinds', 'kind'],
  ])('of %j is %j', (wanted, expected) => {
    expect(nearestName(wanted, contexts)).toBe(expected);
  });

  it('is none where nothing is close', () => {
    expect(nearestName('zzz', contexts)).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
  });
});
