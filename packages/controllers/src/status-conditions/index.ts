export { statusConditionControllers } from './observed-kinds.ts';
export { type ConditionContext, statusConditions } from './status-conditions.ts';
