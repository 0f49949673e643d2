import { type Quantity, quantityFromInteger, quantityFromMilli, toMilli } from '../../values/index.ts';

const bytes = /^(memory|ephemeral-storage|storage|hugepages-.*)$/;
const bytesPerUnit = 2n ** 20n;

/** How many units of a resource people count in are in an amount: thousandths of a CPU, MiB, else whole ones. */
export function unitsIn(resource: string, amount: Quantity): number {
  const milli = toMilli(amount);
  if (resource === 'cpu') return Number(milli);
  return Number(milli / 1000n / (bytes.test(resource) ? bytesPerUnit : 1n));
}

export function amountOf(resource: string, units: number): Quantity {
  const whole = BigInt(units);
  if (resource === 'cpu') return quantityFromMilli(whole);
  return bytes.test(resource)
    ? quantityFromInteger(whole * bytesPerUnit, 'BinarySI')
    : quantityFromInteger(whole);
}
