/**
 * The log of decisions: what the controllers decided, why, and for how much money, as data for the page, `explain`
 * and `replay`. Pure. Start with `decision.ts`.
 */

export type {
  Decision,
  DecisionKind,
  DisruptedNodeFacts,
  DisruptionDecision,
  LaunchDecision,
  NoticeDecision,
  ObjectName,
  PlanDecision,
  PlannedNodeFacts,
  RefusalDecision,
} from './decision.ts';
