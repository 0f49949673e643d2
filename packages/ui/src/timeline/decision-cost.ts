import type { Decision } from '@karpenter/core/decisions';

/** What a decision adds to the bill, in dollars per hour; negative if it saves. Undefined if it says nothing of money. */
export function decisionCost(decision: Decision): number | undefined {
  if (decision.kind === 'plan') return decision.newNodes.length === 0 ? undefined : decision.hourly;
  if (decision.kind === 'launch') return decision.failure === undefined ? decision.hourly : undefined;
  if (decision.kind === 'disruption') return decision.savings === undefined ? undefined : -decision.savings;
  return undefined;
}

/** Something went wrong or is in the way. */
export function isUnwelcome(decision: Decision): boolean {
  if (decision.kind === 'launch') return decision.failure !== undefined;
  if (decision.kind === 'plan') return decision.rejected.length > 0;
  return decision.kind === 'notice';
}
