import { describe, expect, it } from 'vitest';
import { hasListedLimits } from './network-listings.ts';

describe('hasListedLimits', () => {
  it.each([
    ['m5.large', true],
    ['r9g.large', false],
    ['hpc7a.12xlarge', false],
    ['c8gn.metal-24xl', false],
    ['c8gn.24xlarge', true],
    ['c8in.metal-48xl', true],
    ['m8in.metal-48xl', false],
    ['m4.2xlarge', true],
  ])('says whether the published limits list %s', (name, isListed) => {
    expect(hasListedLimits(name)).toBe(isListed);
  });
});
