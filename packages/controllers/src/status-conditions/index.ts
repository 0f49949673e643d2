/**
 * The controllers `operatorpkg.*.status`: metrics and events for every condition of every kind that Karpenter
 * owns, and of Nodes. They write nothing else. Start with `status-conditions.ts`; `observed-kinds.ts` lists
 * the kinds.
 */
export { statusConditionControllers } from './observed-kinds.ts';
