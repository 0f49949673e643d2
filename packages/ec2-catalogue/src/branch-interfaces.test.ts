import { describe, expect, it } from 'vitest';
import { branchInterfaces } from './branch-interfaces.ts';

describe('branch interfaces', () => {
  it.each([
    ['m5.large', 9],
    ['m5.24xlarge', 107],
    ['m5.metal', 120],
    ['c5.9xlarge', 54],
    ['m6i.12xlarge', 114],
    ['c6in.metal', 106],
    ['r8i.8xlarge', 82],
    ['r8in.large', 8],
    ['m9g.8xlarge', 52],
    ['m8i-flex.8xlarge', 52],
    ['c8in.metal-48xl', 98],
    ['a1.medium', 10],
    ['i3.metal', 120],
    ['i3en.metal', 107],
    ['i4i.metal', 120],
    ['d3.8xlarge', 119],
    ['g5.48xlarge', 115],
    ['g4dn.metal', 107],
    ['gr6.8xlarge', 84],
    ['m5zn.metal', 107],
    ['inf1.6xlarge', 54],
    ['p5.48xlarge', 120],
    ['p5.4xlarge', 58],
    ['g7.48xlarge', 98],
    ['g7e.8xlarge', 120],
    ['m8azn.medium', 3],
    ['x8aedz.metal-24xl', 106],
  ])('of %s are %i', (name, count) => {
    expect(branchInterfaces(name)).toBe(count);
  });

  it.each([
    't3.large',
    'i3.large',
    'i4i.large',
    'c9g.large',
    'm8in.metal-48xl',
    'c8gn.metal-24xl',
    'm5.huge',
  ])('are zero for %s', (name) => {
    expect(branchInterfaces(name)).toBe(0);
  });
});
