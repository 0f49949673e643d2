import { type BySize, numbersBySize, valueAt } from './by-size.ts';
import { codeVcpus, type Size } from './size.ts';
import { words } from './table.ts';

/** A value that grows with the size, such as `312.5/vCPU >=10000 48:40000` or `<=4:4750 8:6800`. */
export interface Ladder {
  readonly values: BySize<number>;
  readonly limits: readonly Limit[];
  readonly perVcpu: number | undefined;
  readonly least: number;
}

interface Limit {
  readonly vcpus: number;
  readonly value: number;
}

/** Parses a ladder: `rate/vCPU`, `>=minimum`, `size:value` and `<=size:value`, in any order. */
export function ladder(cell: string): Ladder {
  const all = words(cell);
  const rate = all.find((word) => word.endsWith('/vCPU'));
  return {
    values: numbersBySize(all.filter((word) => /^[^<>]+:/.test(word)).join(' ')),
    limits: all.filter((word) => word.startsWith('<=')).map(limit),
    perVcpu: rate === undefined ? undefined : Number.parseFloat(rate),
    least: Number(all.find((word) => word.startsWith('>='))?.slice(2) ?? 0),
  };
}

/**
 * Returns the value of a size: its own, else the first limit
 * that covers it, else per vCPU; undefined beyond the last.
 */
export function rung({ values, limits, perVcpu, least }: Ladder, size: Size): number | undefined {
  const own = valueAt(values, size) ?? limits.find(({ vcpus }) => size.vcpus <= vcpus)?.value;
  if (own !== undefined || perVcpu === undefined) return own;
  return Math.max(least, Math.floor(perVcpu * size.vcpus));
}

function limit(word: string): Limit {
  const [size = '', value] = word.slice(2).split(':');
  return { vcpus: codeVcpus(size), value: Number(value) };
}
