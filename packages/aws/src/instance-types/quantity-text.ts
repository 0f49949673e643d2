import { formatQuantity, parseQuantity } from '@karpenter/core/values';

const decimal = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+)|([numkMGTPE]?))$/;
const exponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const mostDigits = 18;

/**
 * A quantity as Kubernetes prints one that it has read and not reckoned with: in the canonical form, but for a
 * decimal text that is near enough to it, which stays as it was written (`2.147483648e+09`).
 */
export function quantityText(written: string): string {
  return isKept(written) ? written : formatQuantity(parseQuantity(written));
}

function isKept(written: string): boolean {
  const match = decimal.exec(written);
  if (match === null) return false;
  const [, whole = '', fraction = '', power, suffix = ''] = match;
  const digits = whole + fraction;
  const scale = (power === undefined ? (exponents[suffix] ?? 0) : Number(power)) - fraction.length;
  const isExact = digits.length <= mostDigits && scale >= -9 && scale % 3 === 0;
  return isExact && !digits.startsWith('0') && !digits.endsWith('000') && digits !== '';
}

/** From this size on, Go prints whole floating-point numbers with an exponent. */
const exponentFrom = 1_000_000;

/**
 * A share of a capacity in whole bytes, rounded up. Karpenter prints the floating-point number and reads the
 * text back as a quantity, hence the unusual form; nodes and dashboards have seen it ever since.
 */
export function shareText(bytes: number, percent: number): string {
  const share = Math.ceil((bytes / 100) * percent);
  if (share < exponentFrom) return quantityText(String(share));
  const [mantissa = '', exponent = ''] = share.toExponential().split('e+');
  return quantityText(`${mantissa}e+${exponent.padStart(2, '0')}`);
}
