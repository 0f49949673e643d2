/**
 * CEL as kube-apiserver evaluates it: validation rules of CRDs, selectors of devices and match conditions of
 * webhooks. Computes only, with a cache of compiled rules; built on the `@marcbachmann/cel-js` library. Where
 * that differs from the API server, calls are rewritten to functions of our own. Start with
 * `rule-checker.ts`; ADR 0006 says why rules are checked outside `core`.
 */

export { compileCondition, compileRule } from './compiled-rule.ts';
export { largestRepetition } from './cost/index.ts';
export { readDeviceSelector } from './device-selector.ts';
export { CelRuleChecker } from './rule-checker.ts';
