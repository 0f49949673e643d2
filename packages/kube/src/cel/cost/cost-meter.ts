import { RuleFailure } from '../rule-failure.ts';

/** Limits of kube-apiserver, in its units of cost: one evaluation of an expression, and all of one request. */
export const callLimit = 1_000_000;
export const requestLimit = 10_000_000;

/** The evaluation was stopped because it exceeded its limit. */
export class CostExceeded extends RuleFailure {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
    this.name = 'CostExceeded';
  }
}

// Created once: `&&`, `||` and `all()` catch errors and go on with the next operand or item, so the error is thrown
// many times before an evaluation ends, and each new one would get a stack trace.
const exceeded = new CostExceeded();

/** Remaining cost of the running evaluation. A global is safe because evaluations are synchronous. */
let left = Number.POSITIVE_INFINITY;

/** Counts cost of the running evaluation. Throws once the limit is exceeded, and at every later call. */
export function spend(cost: number): void {
  left -= cost;
  if (left < 0) throw exceeded;
}

/** The result of an evaluation and its cost. */
export interface Metered<T> {
  readonly result: T;
  readonly cost: number;
}

/**
 * Evaluates with at most this cost. Throws `CostExceeded` beyond it, even where the expression swallowed the
 * error: `expensive || true` is not true.
 */
export function withinLimit<T>(limit: number, evaluate: () => T): Metered<T> {
  const outer = left;
  left = limit;
  try {
    const result = evaluate();
    if (left < 0) throw exceeded;
    return { result, cost: limit - left };
  } catch (error) {
    throw left < 0 ? exceeded : error;
  } finally {
    left = outer;
  }
}
