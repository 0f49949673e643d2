import { type BySize, valueAt } from '../notation/by-size.ts';
import { rung } from '../notation/ladder.ts';
import type { Processor } from '../notation/processor.ts';
import { metalSize, type Size, virtualSize } from '../notation/size.ts';
import { type RegularFamily, regularFamily } from './regular-family.ts';
import { type RegularRow, regularRows } from './regular-row.ts';
import type { Shape } from './shape.ts';

/** Expands a table whose rows determine all sizes of their families. */
export function regularShapes(table: string): readonly Shape[] {
  return regularRows(table).flatMap(familyShapes);
}

function familyShapes(row: RegularRow): readonly Shape[] {
  const family = regularFamily(row);
  const sizes = [...row.sizes.map(virtualSize), ...row.metals.map(metalSize)];
  return sizes.map((size) => regularShape(family, size));
}

function regularShape(family: RegularFamily, size: Size): Shape {
  const { row } = family;
  return {
    name: `${row.family}.${size.name}`,
    family: row.family,
    size,
    processor: processorAt(family, size),
    memoryMiB: (valueAt(family.memories, size) ?? row.gibPerVcpu * size.vcpus) * 1024,
    storageGB: valueAt(family.storages, size) ?? Math.floor(row.storagePerVcpu * size.vcpus),
    interfaces: firstAt(family.interfaces, size) ?? { perCard: [], addresses: 0 },
    efaInterfaces: firstAt(family.efas, size) ?? 0,
    devices: undefined,
    ebsMbps: family.ebs && rung(family.ebs, size),
    networkMbps: family.network && rung(family.network, size),
    price: family.price(size),
  };
}

function processorAt({ processor, clocks }: RegularFamily, size: Size): Processor {
  const ghz = valueAt(clocks, size);
  return ghz === undefined ? processor : { ...processor, ghz };
}

function firstAt<T>(tables: readonly (BySize<T> | undefined)[], size: Size): T | undefined {
  for (const table of tables) {
    const value = valueAt(table, size);
    if (value !== undefined) return value;
  }
  return undefined;
}
