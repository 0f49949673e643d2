import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityFromInteger,
  quantitySign,
  subtractQuantities,
  toInteger,
  toNumber,
} from '@karpenter/core/values';
import type { Environment } from '@marcbachmann/cel-js';
import { RuleFailure } from './rule-failure.ts';

/** A Kubernetes quantity as a CEL value. */
export class CelQuantity {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }
}

function readQuantity(text: string): CelQuantity | undefined {
  try {
    return new CelQuantity(parseQuantity(text));
  } catch {
    return undefined;
  }
}

function quantityOf(text: string): CelQuantity {
  const quantity = readQuantity(text);
  if (quantity) return quantity;
  throw new RuleFailure(
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  );
}

function compare(a: CelQuantity, b: CelQuantity): number {
  return compareQuantities(a.quantity, b.quantity);
}

const whole = (value: bigint): CelQuantity => new CelQuantity(quantityFromInteger(value));
const nanoPerUnit = 1_000_000_000n;

/** Whether the value is whole and fits int64, as in the API server. */
function isInteger({ quantity }: CelQuantity): boolean {
  return quantity.nano % nanoPerUnit === 0n && BigInt.asIntN(64, toInteger(quantity)) === toInteger(quantity);
}

function asInteger(value: CelQuantity): bigint {
  if (!isInteger(value)) throw new RuleFailure('cannot convert value to integer');
  return toInteger(value.quantity);
}

/** Registers Kubernetes' quantity library: `quantity('1Gi').isGreaterThan(quantity('1G'))`. */
export function registerQuantityFunctions(environment: Environment): void {
  const add = (signature: string, handler: (...values: never[]) => unknown): void => {
    environment.registerFunction(signature, handler, { async: false });
  };
  const type = 'kubernetes.Quantity';
  environment.registerType(type, CelQuantity);
  environment.registerOperator(`${type} == ${type}`, (a: CelQuantity, b: CelQuantity) => compare(a, b) === 0);
  add(`quantity(string): ${type}`, quantityOf);
  add('isQuantity(string): bool', (text: string) => readQuantity(text) !== undefined);
  add(`${type}.isGreaterThan(${type}): bool`, (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0);
  add(`${type}.isLessThan(${type}): bool`, (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0);
  add(`${type}.compareTo(${type}): int`, (a: CelQuantity, b: CelQuantity) => BigInt(compare(a, b)));
  add(`${type}.sign(): int`, (value: CelQuantity) => BigInt(quantitySign(value.quantity)));
  add(`${type}.isInteger(): bool`, isInteger);
  add(`${type}.asInteger(): int`, asInteger);
  add(`${type}.asApproximateFloat(): double`, (value: CelQuantity) => toNumber(value.quantity));
  for (const [name, combine] of [
    ['add', addQuantities],
    ['sub', subtractQuantities],
  ] as const) {
    const combined = (a: CelQuantity, b: CelQuantity): CelQuantity =>
      new CelQuantity(combine(a.quantity, b.quantity));
    add(`${type}.${name}(${type}): ${type}`, combined);
    add(`${type}.${name}(int): ${type}`, (a: CelQuantity, b: bigint) => combined(a, whole(b)));
  }
}
