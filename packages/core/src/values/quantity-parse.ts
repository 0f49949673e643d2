import { invalidValue } from '../errors/index.ts';
import { divideAwayFromZero, nanoPerUnit, type Quantity, type QuantityFormat } from './quantity.ts';

// The documented grammar. Kubernetes 1.36 also accepts some texts without a digit (`m`, `Ti`, but not `Pi`)
// as zero, by accident; we reject them, because their author forgot the number.
const shape = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/;

/** Powers of ten of the decimal suffixes. */
export const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryPowers: Readonly<Record<string, bigint>> = { Ki: 1n, Mi: 2n, Gi: 3n, Ti: 4n, Pi: 5n, Ei: 6n };

/** Kubernetes caps binary quantities at the largest int64; decimal ones have no cap. */
const binaryCap = (2n ** 63n - 1n) * nanoPerUnit;

/** Far above any resource, and small enough that no input can exhaust memory. */
const maxExponent = 1000;

/** The time to read a number grows with the square of its length. */
const maxDigits = 10_000;

interface Scale {
  readonly format: QuantityFormat;
  readonly exponent: number;
  readonly factor: bigint;
}

function scaleOf(suffix: string): Scale {
  const power = binaryPowers[suffix];
  if (power !== undefined) return { format: 'BinarySI', exponent: 0, factor: 1024n ** power };
  const exponent = suffix === '' ? 0 : decimalExponents[suffix];
  if (exponent !== undefined) return { format: 'DecimalSI', exponent, factor: 1n };
  return { format: 'DecimalExponent', exponent: Number(suffix.slice(1)), factor: 1n };
}

/** `digits` × 10^`exponent` in nano-units; rounds away from zero. */
function toNano(digits: bigint, exponent: number): bigint {
  if (digits === 0n) return 0n;
  const shift = exponent + 9;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const isBelowOneNano = -shift > String(digits).length;
  return isBelowOneNano ? 1n : divideAwayFromZero(digits, 10n ** BigInt(-shift));
}

/** A positive binary quantity below one unit becomes decimal, as in Kubernetes. */
function settleBinary(nano: bigint): Quantity {
  const isFraction = nano > 0n && nano < nanoPerUnit;
  return { nano: nano > binaryCap ? binaryCap : nano, format: isFraction ? 'DecimalSI' : 'BinarySI' };
}

function invalidQuantity(field: string, value: string): Error {
  return invalidValue({
    code: 'invalid-quantity',
    field,
    value,
    expected: 'a quantity',
    advice: 'write a number with an optional suffix, such as 500m, 2Gi or 1e3',
  });
}

/**
 * Parses every form that Kubernetes accepts, and JSON numbers. Rounds away from zero at a billionth; caps
 * binary quantities at the largest int64. Throws a coded error that names `field`.
 */
export function parseQuantity(text: string | number, field = 'quantity'): Quantity {
  const match = shape.exec(String(text));
  const [, sign, number = '', suffix = ''] = match ?? [];
  if (match === null || number.length > maxDigits) throw invalidQuantity(field, String(text));
  const [whole = '', fraction = ''] = number.split('.');
  const { format, exponent, factor } = scaleOf(suffix);
  const digits = BigInt(whole + fraction) * factor;
  if (digits !== 0n && exponent > maxExponent) throw invalidQuantity(field, String(text));
  const nano = toNano(digits, exponent - fraction.length);
  const quantity = format === 'BinarySI' ? settleBinary(nano) : { nano, format };
  return sign === '-' ? { ...quantity, nano: -quantity.nano } : quantity;
}
