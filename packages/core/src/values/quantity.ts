/** The suffix family used to print a quantity. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/**
 * A Kubernetes resource quantity, exact to a billionth. Plain data, so that it survives a structured clone to
 * a worker thread. Not JSON: print it with `formatQuantity`.
 */
export interface Quantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export const nanoPerUnit = 1_000_000_000n;
const nanoPerMilli = 1_000_000n;

export const zeroQuantity: Quantity = Object.freeze({ nano: 0n, format: 'DecimalSI' });

export function quantityFromInteger(value: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nano: BigInt(value) * nanoPerUnit, format };
}

export function quantityFromMilli(milli: number | bigint): Quantity {
  return { nano: BigInt(milli) * nanoPerMilli, format: 'DecimalSI' };
}

/** Negative, zero or positive, for `Array.sort`. Ignores the format. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nano === b.nano) return 0;
  return a.nano < b.nano ? -1 : 1;
}

export function equalQuantities(a: Quantity, b: Quantity): boolean {
  return a.nano === b.nano;
}

/** A sum has the format of its first operand, unless that is zero: 0 plus `1Gi` prints as `1Gi`. */
function formatOfResult(a: Quantity, b: Quantity): QuantityFormat {
  return a.nano === 0n ? b.format : a.format;
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: formatOfResult(a, b) };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: formatOfResult(a, b) };
}

export function negateQuantity(quantity: Quantity): Quantity {
  return { nano: -quantity.nano, format: quantity.format };
}

export function multiplyQuantity(quantity: Quantity, factor: number | bigint): Quantity {
  return { nano: quantity.nano * BigInt(factor), format: quantity.format };
}

export function isZeroQuantity(quantity: Quantity): boolean {
  return quantity.nano === 0n;
}

export function quantitySign(quantity: Quantity): -1 | 0 | 1 {
  return compareQuantities(quantity, zeroQuantity);
}

/** The larger one; the first if they are equal. */
export function maxQuantity(a: Quantity, b: Quantity): Quantity {
  return b.nano > a.nano ? b : a;
}

/** The smaller one; the first if they are equal. */
export function minQuantity(a: Quantity, b: Quantity): Quantity {
  return b.nano < a.nano ? b : a;
}

export function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (dividend % divisor === 0n) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}

/** Thousandths, rounded away from zero as in Kubernetes, so that a tiny request does not become zero. */
export function toMilli(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nano, nanoPerMilli);
}

/** Whole units, rounded away from zero. */
export function toInteger(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nano, nanoPerUnit);
}

/** An approximate floating-point number, for metrics and prices; never compare with it. */
export function toNumber(quantity: Quantity): number {
  const whole = quantity.nano / nanoPerUnit;
  return Number(whole) + Number(quantity.nano - whole * nanoPerUnit) / 1e9;
}
