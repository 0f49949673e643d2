import { acceleratorFamilies } from '../facts/accelerator-families.ts';
import { computeFamilies } from '../facts/compute-families.ts';
import { gpuFamilies } from '../facts/gpu-families.ts';
import { previousGenerations } from '../facts/previous-generations.ts';
import { specialFamilies } from '../facts/special-families.ts';
import { storageAndMemoryFamilies } from '../facts/storage-and-memory-families.ts';
import { listedShapes } from './listed-shapes.ts';
import { regularShapes } from './regular-shapes.ts';
import type { Shape } from './shape.ts';

let memo: ReadonlyMap<string, Shape> | undefined;

/** Returns all shapes by name, in table order, expanded on first use. */
export function shapes(): ReadonlyMap<string, Shape> {
  memo ??= new Map(expandShapes().map((shape) => [shape.name, shape]));
  return memo;
}

export function expandShapes(): readonly Shape[] {
  return [
    ...[computeFamilies, storageAndMemoryFamilies].flatMap(regularShapes),
    ...[gpuFamilies, acceleratorFamilies, specialFamilies, previousGenerations].flatMap(listedShapes),
  ];
}
