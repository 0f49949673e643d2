export { CelRuleChecker } from './cel/index.ts';
