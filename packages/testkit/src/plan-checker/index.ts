/**
 * Checks plans by the rules of placement alone. Pure. It must not import the planner: a checker that shares
 * code with the planner cannot disagree with it. Start reading at `check-plan.ts`; each other file holds one
 * family of rules.
 */
export { checkPlan } from './check-plan.ts';
export type { ConstrainedSpec, PodAffinitySpec, PodTermSpec, SpreadSpec } from './pod-spec.ts';
export type { Violation } from './violation.ts';
