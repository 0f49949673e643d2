/**
 * Costs of CEL expressions as kube-apiserver counts them, so that no expression can block the process: what
 * an evaluation may cost, and what a rule of a CustomResourceDefinition may cost at most. Computes only; no
 * I/O. Start with `cost-meter.ts`.
 */
export { callCost } from './call-cost.ts';
export { CostExceeded, callLimit, type Metered, requestLimit, spend, withinLimit } from './cost-meter.ts';
export { estimatedCost } from './estimated-cost.ts';
export { meterExpression } from './metered-expression.ts';
export { largestRepetition } from './schema-size.ts';
