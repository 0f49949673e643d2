import * as facts from '../facts/price-exceptions.ts';
import { numbersBySize, valueAt } from '../notation/by-size.ts';
import { familyTable } from '../notation/family-table.ts';
import { codeVcpus, type Size } from '../notation/size.ts';

const factors = familyTable(facts.priceFactors, numbersBySize);
const listed = familyTable(facts.listedPrices, numbersBySize);

/**
 * Computes prices in proportion to vCPUs. `base` is the price of `large`, or of a named size as in `x=0.8`.
 */
export function regularPrices(family: string, base: string): (size: Size) => number | undefined {
  if (base === '?') return () => undefined;
  const [price, code = 'l'] = base.split('=').reverse();
  const perVcpu = Number(price) / codeVcpus(code);
  const [ownFactors, ownPrices] = [factors(family), listed(family)];
  return (size) => {
    const linear = perVcpu * size.vcpus * (valueAt(ownFactors, size) ?? 1);
    return valueAt(ownPrices, size) ?? Math.round(linear * 1e5) / 1e5;
  };
}
