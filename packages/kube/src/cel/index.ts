/**
 * CEL as kube-apiserver evaluates it: validation rules of CRDs and selectors of
 * devices. Pure functions over JSON, built on the `@marcbachmann/cel-js` library;
 * where that differs from the API server, calls are renamed to functions of our own.
 * Start with rule-checker.ts; ADR 0006 says why rules are checked outside `core`.
 */

export { compileCondition, compileRule } from './compiled-rule.ts';
export { largestRepetition } from './cost/index.ts';
export { readDeviceSelector } from './device-selector.ts';
export { CelRuleChecker } from './rule-checker.ts';
