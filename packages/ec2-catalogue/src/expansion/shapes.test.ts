import { describe, expect, it } from 'vitest';
import { listedShapes } from './listed-shapes.ts';
import { regularShapes } from './regular-shapes.ts';

const regular = `
families | GiB/vCPU | CPU       | sizes | metal      | net | NVMe | EFA | $ large
c1 m1    | 2 4      | I3.0 A2.0 | l x   | metal-12xl | N1  | 10   | x   | 0.1 ?
`;

const listed = `
  size  vCPU GiB devices GB net  EFA EBS Mbps $
g1 I2.5 T4
  l     2    8   1       -  2x10 -   ?   500  0.2
  metal 96   384 8       90 2x50 1   900 ?    ?
`;

describe('a table with one row per family', () => {
  const shapes = regularShapes(regular);

  it('gives every family every size, bare metal last', () => {
    expect(shapes.map(({ name }) => name)).toEqual(
      'c1.large c1.xlarge c1.metal-12xl m1.large m1.xlarge m1.metal-12xl'.split(' '),
    );
  });

  it('gives values per family, per size and per vCPU', () => {
    expect(shapes[1]).toMatchObject({ memoryMiB: 8192, storageGB: 40, efaInterfaces: 1, price: 0.2 });
    expect(shapes[3]).toMatchObject({ memoryMiB: 8192, storageGB: 20, efaInterfaces: 0, price: undefined });
    expect(shapes[3]?.processor.manufacturer).toBe('AMD');
    expect(shapes[0]?.interfaces).toEqual({ perCard: [3], addresses: 10 });
  });
});

describe('a table with one line per size', () => {
  it('reads the sizes below the line of their family', () => {
    const shapes = listedShapes(listed);
    expect(shapes.map(({ name }) => name)).toEqual(['g1.large', 'g1.metal']);
    expect(shapes[0]).toMatchObject({ storageGB: 0, efaInterfaces: 0, ebsMbps: undefined, price: 0.2 });
    expect(shapes[1]).toMatchObject({ storageGB: 90, networkMbps: undefined, devices: { count: 8 } });
  });
});
