import type { Plan, PlanOptions, Snapshot } from '@karpenter/core/scheduling';
import { checkPlan } from '../check-plan.ts';
import type { PlanRule } from '../violation.ts';
import { options } from './sample.ts';

/** A plan that keeps the rules, and what a planner with a bug would have made of it. */
export interface SeededBug {
  readonly bug: string;
  readonly rule: PlanRule;
  readonly snapshot: Snapshot;
  readonly legal: Plan;
  readonly broken: Plan;
  readonly options?: Partial<PlanOptions>;
}

/** Of the legal plan none, of the broken one at least the bug's own. */
export function rulesBroken(bug: SeededBug, version: 'legal' | 'broken'): readonly PlanRule[] {
  return checkPlan(bug.snapshot, bug[version], { ...options, ...bug.options }).map(({ rule }) => rule);
}
