import { nanoPerUnit, type Quantity } from './quantity.ts';

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Divides by `base` while the result is exact, at most `limit` times. */
function reduce(value: bigint, base: bigint, limit: number): { mantissa: bigint; steps: number } {
  let mantissa = value;
  let steps = 0;
  while (steps < limit && mantissa % base === 0n) {
    mantissa /= base;
    steps += 1;
  }
  return { mantissa, steps };
}

// Kubernetes 1.36 prints a thousand exa and more without a suffix, which parses as another number. We keep
// the largest suffix instead.
function formatDecimal(nano: bigint): string {
  const { mantissa, steps } = reduce(nano, 1000n, decimalSuffixes.length - 1);
  return `${mantissa}${decimalSuffixes[steps] ?? ''}`;
}

function formatExponent(nano: bigint): string {
  const { mantissa, steps } = reduce(nano, 1000n, Number.POSITIVE_INFINITY);
  const exponent = 3 * steps - 9;
  return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
}

function formatBinary(nano: bigint): string {
  const units = nano / nanoPerUnit;
  const isSmall = units > -1024n && units < 1024n;
  if (isSmall || nano % nanoPerUnit !== 0n) return formatDecimal(nano);
  const { mantissa, steps } = reduce(units, 1024n, binarySuffixes.length - 1);
  return `${mantissa}${binarySuffixes[steps] ?? ''}`;
}

/**
 * Kubernetes' canonical form: no fraction, the largest suffix that leaves an integer (`1500m`, `1536Mi`). A
 * binary quantity below 1024, or with a fraction of a byte, is printed as decimal.
 */
export function formatQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  switch (format) {
    case 'BinarySI':
      return formatBinary(nano);
    case 'DecimalExponent':
      return formatExponent(nano);
    case 'DecimalSI':
      return formatDecimal(nano);
  }
}
