import type { Size } from './size.ts';
import { words } from './table.ts';

/** Values for single sizes, by code or, for bare metal alone, by name. */
export type BySize<T> = ReadonlyMap<string, T>;

/** Written `12:1800 metal-24xl:0`. */
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

/** What bare metal has of its own goes before what its twin has. */
export function valueAt<T>(values: BySize<T> | undefined, size: Size): T | undefined {
  return values?.get(size.name) ?? values?.get(size.code);
}
