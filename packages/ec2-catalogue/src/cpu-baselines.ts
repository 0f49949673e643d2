import { cpuBaselines } from './facts/cpu-baselines.ts';
import { type BySize, numbersBySize } from './notation/by-size.ts';
import { rows } from './notation/table.ts';

export { surplusCpuPrices } from './facts/cpu-baselines.ts';

const byFamily = new Map<string, BySize<number>>(
  rows(cpuBaselines).map(([family = '', cell = '']) => [family, numbersBySize(cell)]),
);
const burstable = /^(t\d+[a-z]*)\.([a-z0-9]+)$/;

/**
 * Returns the part of each vCPU, from 0 to 1, that a burstable type may use on average at its price; undefined
 * if the type is not burstable. Knows types by their names, so that it covers those newer than the catalogue.
 */
export function cpuBaseline(instanceType: string): number | undefined {
  const [, family, size = ''] = burstable.exec(instanceType) ?? [];
  if (family === undefined) return undefined;
  const bySize = byFamily.get(family) ?? byFamily.get('t');
  const percent = bySize?.get(size) ?? bySize?.get('larger');
  return percent === undefined ? undefined : percent / 100;
}
