/**
 * Disruption decisions as pure functions: which nodes are candidates, what budgets allow, and which commands
 * (emptiness, drift, consolidation) to run. Everything reads a `ClusterSnapshot`; nothing here calls an API,
 * and long searches are generators so that the caller can yield between steps. Start with `candidate.ts`,
 * then `emptiness.ts`, `drift.ts` and `consolidation.ts`; `validation.ts` checks commands again after the
 * validation delay.
 */

export {
  approvalText,
  isNeverApproved,
  type MoveScore,
  type PoolCostTotals,
  poolTotals,
  scoreMove,
} from './balanced.ts';
export { type BlockCause, type Blocker, blockers } from './blocker.ts';
export {
  allowedDisruptions,
  BudgetLedger,
  budgetsAhead,
  type PoolBudget,
  poolBudgets,
  type SpentBudgets,
  unlimitedDisruptions,
} from './budget.ts';
export {
  type BlockedNode,
  bySavingsRatio,
  type Candidate,
  type CandidateContext,
  CandidateEvaluator,
  type Candidates,
  candidateSteps,
  type DisruptionClass,
  findCandidates,
  isCandidate,
  isEmptyCandidate,
  savingsRatio,
} from './candidate.ts';
export {
  ClusterSimulation,
  type Destinations,
  failuresText,
  type PodFailure,
  type RemovalOutcome,
  type SimulationOptions,
} from './cluster-simulation.ts';
export {
  type Command,
  type ConsolidationType,
  commandText,
  type Destination,
  type DisruptionDecision,
  decisionOf,
  isPlanned,
  memberText,
  type NewNode,
  poolsOf,
  type StaticNode,
  savingsText,
  shortCommandText,
} from './command.ts';
export {
  type ConsolidatableVerdict,
  consolidateAfter,
  evaluateConsolidatable,
  isWithinConsolidateAfter,
} from './consolidatable.ts';
export {
  type ConsolidationInputs,
  type ConsolidationSearch,
  consolidate,
  type WeighedCommand,
} from './consolidation.ts';
export {
  type ConsolidationVerdict,
  type DecisionContext,
  decideConsolidation,
} from './consolidation-decision.ts';
export {
  type DriftSearch,
  driftedCandidates,
  replaceDrifted,
  replaceStatic,
  type StaticDriftInputs,
} from './drift.ts';
export {
  type DriftOptions,
  gracefulExpiryReason,
  isInstanceTypeGone,
  isOldEnoughForTypeCheck,
  nodePoolDriftReason,
} from './drift-reason.ts';
export { deleteEmpty, type Emptiness, type EmptinessValidation, validateEmptiness } from './emptiness.ts';
export {
  type CandidateMessage,
  consolidationGate,
  emptinessGate,
  type GatedCandidates,
  type GateVerdict,
  gatedCandidates,
} from './gate.ts';
export { nodePrice } from './node-price.ts';
export { poolOptions } from './pool-options.ts';
export { PriceBook, type Replacement } from './price-book.ts';
export { isWorthwhile } from './savings-thresholds.ts';
export {
  asOfNow,
  type CommandValidation,
  disqualification,
  type RejectedCommand,
  type RejectionReason,
  recheck,
  type SimulatedValidation,
  type ValidationInputs,
  validateConsolidations,
} from './validation.ts';
export {
  anticipate,
  isDue,
  type SortedCommands,
  sortWaiting,
  type WaitingCommand,
} from './waiting-command.ts';
