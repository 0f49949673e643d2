import type { Size } from './size.ts';
import { words } from './table.ts';

/** Values of single sizes, keyed by size code or, for bare metal only, by name. */
export type BySize<T> = ReadonlyMap<string, T>;

/** Parses `12:1800 metal-24xl:0`. */
export function bySize<T>(cell: string, parse: (value: string) => T): BySize<T> {
  return new Map(
    words(cell).map((word) => {
      const [size = '', value = ''] = word.split(':');
      return [size, parse(value)];
    }),
  );
}

export function numbersBySize(cell: string): BySize<number> {
  return bySize(cell, Number);
}

/**
 * Returns the value of a size. Bare metal uses its own
 * value, else that of the virtual size with the same shape.
 */
export function valueAt<T>(values: BySize<T> | undefined, size: Size): T | undefined {
  return values?.get(size.name) ?? values?.get(size.code);
}
