import type { Plan, PlanOptions, Snapshot } from '@karpenter/core/scheduling';
import { checkPlan } from '../check-plan.ts';
import type { PlanRule } from '../violation.ts';
import { options } from './sample.ts';

/** A legal plan, and the plan that a planner with a bug would have made. */
export interface SeededBug {
  readonly bug: string;
  readonly rule: PlanRule;
  readonly snapshot: Snapshot;
  readonly legal: Plan;
  readonly broken: Plan;
  readonly options?: Partial<PlanOptions>;
}

/** Expects no violation in the legal plan, and the bug's own among those of the broken one. */
export function rulesBroken(bug: SeededBug, version: 'legal' | 'broken'): readonly PlanRule[] {
  return checkPlan(bug.snapshot, bug[version], { ...options, ...bug.options }).map(({ rule }) => rule);
}
