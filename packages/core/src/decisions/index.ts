/**
 * The log of decisions: what the controllers decided, why, and for how much money, as data for the page, `explain`
 * and `replay`. Pure. Start with `decision.ts`, then `decision-log.ts`, which keeps the last ones.
 *
 * `*-decision.ts` describe plans, launches and commands; `replay-record.ts` is what a decision needs besides its
 * cluster to be made again, `saved-decision.ts` the file with both, `plan-differences.ts` the comparison.
 */

export type {
  Decision,
  DecisionKind,
  DisruptionDecision,
  ObjectName,
  PlanDecision,
  PlannedNodeFacts,
} from './decision.ts';
export { decisionBounds, shortText } from './decision-bounds.ts';
export { isDecisionId } from './decision-ids.ts';
export { DecisionLog, type DecisionQuery, decisionKinds } from './decision-log.ts';
export type {
  DecisionClusters,
  DecisionDraft,
  DecisionRecorder,
  ReplayMaterial,
} from './decision-recorder.ts';
export { disruptionDecision, givenUpDecision } from './disruption-decision.ts';
export { failedLaunchDecision, launchDecision } from './launch-decision.ts';
export { planDecision } from './plan-decision.ts';
export { commandDifferences, type Difference, planDifferences } from './plan-differences.ts';
export type { CreatedNode } from './planned-node-facts.ts';
export { RepeatedDecisions } from './repeated-decisions.ts';
export {
  type CommandRecord,
  commandRecord,
  type DisruptionMethod,
  type DisruptionReplay,
  disruptionMethods,
  type PlanRecord,
  type PlanReplay,
  planRecord,
  type WaitingRecord,
  waitingRecord,
} from './replay-record.ts';
export { isSamePlan } from './same-plan.ts';
export { decisionOfFile, savedDecisionPieces } from './saved-decision.ts';
