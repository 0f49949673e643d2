import { decimalExponents, formatQuantity, parseQuantity } from '@karpenter/core/values';

const decimal = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([numkMGTPE]?))$/;
/** Longer numbers overflow the int64 fast path of Go's Quantity. */
const maxDigits = 18;

/**
 * Prints a quantity as Go's Quantity prints one it has parsed and not calculated with. That is the canonical
 * form, except for decimal texts close to it, which stay as written (`2.147483648e+09`).
 */
export function quantityText(written: string): string {
  return isKept(written) ? written : formatQuantity(parseQuantity(written));
}

function isKept(written: string): boolean {
  const match = decimal.exec(written);
  if (match === null) return false;
  const [, whole = '', fraction = '', power, suffix = ''] = match;
  const digits = whole + fraction;
  const scale = (power === undefined ? (decimalExponents[suffix] ?? 0) : Number(power)) - fraction.length;
  const isExact = digits.length <= maxDigits && scale >= -9 && scale % 3 === 0;
  return isExact && !digits.startsWith('0') && !digits.endsWith('000') && digits !== '';
}

/** Go prints floats from this size on with an exponent. */
const exponentFrom = 1_000_000;

/**
 * A percentage of a capacity in whole bytes, rounded up. Karpenter prints a float and parses it back as a
 * quantity, which gives this unusual form; we match it because NodeClaims and dashboards show it.
 */
export function shareText(bytes: number, percent: number): string {
  const share = Math.ceil((bytes / 100) * percent);
  if (share < exponentFrom) return quantityText(String(share));
  const [mantissa = '', exponent = ''] = share.toExponential().split('e+');
  return quantityText(`${mantissa}e+${exponent.padStart(2, '0')}`);
}
