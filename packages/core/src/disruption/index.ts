/**
 * Disruption decisions as pure functions: which nodes are candidates, what budgets allow, and which commands
 * (emptiness, drift, consolidation) to run. Everything reads a `ClusterSnapshot`; nothing here calls an API,
 * and long searches are generators so that the caller can yield between steps. Start with `candidate.ts`,
 * then `emptiness.ts`, `drift.ts` and `consolidation.ts`; `savings-thresholds.ts` and `balanced.ts` say which
 * savings are too small, `validation.ts` checks commands again after the validation delay.
 */

export {
  approvalText,
  isNeverApproved,
  type MoveScore,
  poolTotals,
  scoreMove,
} from './balanced.ts';
export { type Blocker, blockers } from './blocker.ts';
export {
  allowedDisruptions,
  BudgetLedger,
  budgetsAhead,
  type PoolBudget,
  poolBudgets,
  type SpentBudgets,
  unlimitedDisruptions,
} from './budget.ts';
export { type BudgetStatus, budgetStatuses } from './budget-status.ts';
export {
  type BlockedNode,
  bySavingsRatio,
  type Candidate,
  type CandidateContext,
  CandidateEvaluator,
  candidateSteps,
  type DisruptionClass,
  findCandidates,
  isEmptyCandidate,
} from './candidate.ts';
export {
  ClusterSimulation,
  isStarting,
  type SimulationOptions,
} from './cluster-simulation.ts';
export {
  type Command,
  type ConsolidationType,
  commandText,
  decisionOf,
  isPlanned,
  memberText,
  type NewNode,
  poolsOf,
  savingsText,
  shortCommandText,
} from './command.ts';
export {
  evaluateConsolidatable,
  isWithinConsolidateAfter,
} from './consolidatable.ts';
export {
  type ConsolidationSearch,
  consolidate,
  type WeighedCommand,
} from './consolidation.ts';
export type { DecisionContext } from './consolidation-decision.ts';
export {
  driftedCandidates,
  replaceDrifted,
  replaceStatic,
} from './drift.ts';
export {
  gracefulExpiryReason,
  isInstanceTypeGone,
  isOldEnoughForTypeCheck,
  nodePoolDriftReason,
} from './drift-reason.ts';
export { deleteEmpty, type EmptinessValidation, validateEmptiness } from './emptiness.ts';
export {
  type CandidateMessage,
  consolidationGate,
  emptinessGate,
  type GateVerdict,
  gatedCandidates,
  gateSteps,
} from './gate.ts';
export { nodePrice } from './node-price.ts';
export { PodMoves } from './pod-moves.ts';
export { poolOptions } from './pool-options.ts';
export { PriceBook } from './price-book.ts';
export { isWorthwhile, type SavingsContext } from './savings-thresholds.ts';
export {
  asOfNow,
  type CommandValidation,
  type RejectedCommand,
  recheck,
  type ValidationInputs,
  validateConsolidations,
} from './validation.ts';
export {
  anticipate,
  isDue,
  isSameMove,
  mergeWaiting,
  postponedUntilPodsBind,
  sortWaiting,
  type WaitingCommand,
} from './waiting-command.ts';
