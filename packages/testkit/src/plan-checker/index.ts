export { checkPlan } from './check-plan.ts';
export type { PlanRule, Violation } from './violation.ts';
