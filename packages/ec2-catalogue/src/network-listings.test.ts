import { describe, expect, it } from 'vitest';
import { networkListings } from './network-listings.ts';

describe('networkListings', () => {
  it.each([
    ['m5.large', { bandwidth: true, limits: true }],
    ['r9g.large', { bandwidth: false, limits: false }],
    ['hpc7a.12xlarge', { bandwidth: true, limits: false }],
    ['c8gn.metal-24xl', { bandwidth: true, limits: false }],
    ['c8gn.24xlarge', { bandwidth: true, limits: true }],
    ['c8in.metal-48xl', { bandwidth: true, limits: true }],
    ['m8in.metal-48xl', { bandwidth: true, limits: false }],
    ['m4.2xlarge', { bandwidth: true, limits: true }],
  ])('returns which tables list %s', (name, listings) => {
    expect(networkListings(name)).toEqual(listings);
  });
});
