export { compileCondition, compileRule } from './compiled-rule.ts';
export { CelRuleChecker } from './rule-checker.ts';
