export { compileCondition, compileRule } from './compiled-rule.ts';
export { readDeviceSelector } from './device-selector.ts';
export { CelRuleChecker } from './rule-checker.ts';
