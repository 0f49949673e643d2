export { CelRuleChecker } from './rule-checker.ts';
