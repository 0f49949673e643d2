/**
 * Disruption decisions as pure functions of a `ClusterSnapshot`; nothing here calls an API, and long searches are
 * generators so that the caller can yield between steps. `candidates` says which nodes can be disrupted and why others
 * cannot, `budgets` how many at a time. The methods are `emptiness.ts`, `drift.ts` and the folder `consolidation`,
 * which also says which savings are too small (`savings-thresholds.ts`, `balanced.ts`). `commands` has what a method
 * decides, and checks it again after the validation delay. Start with `candidates/candidate.ts`, then `emptiness.ts`
 * and `consolidation/consolidation.ts`.
 */

export {
  allowedDisruptions,
  BudgetLedger,
  budgetsAhead,
  type PoolBudget,
  poolBudgets,
  type SpentBudgets,
  unlimitedDisruptions,
} from './budgets/budget.ts';
export { type BudgetStatus, budgetStatuses } from './budgets/budget-status.ts';
export { type Blocker, blockers } from './candidates/blocker.ts';
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
} from './candidates/candidate.ts';
export {
  evaluateConsolidatable,
  isWithinConsolidateAfter,
} from './candidates/consolidatable.ts';
export {
  type CandidateMessage,
  consolidationGate,
  emptinessGate,
  type GateVerdict,
  gatedCandidates,
  gateSteps,
} from './candidates/gate.ts';
export { nodePrice } from './candidates/node-price.ts';
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
} from './commands/command.ts';
export {
  asOfNow,
  type CommandValidation,
  type RejectedCommand,
  recheck,
  type ValidationInputs,
  validateConsolidations,
} from './commands/validation.ts';
export {
  anticipate,
  isDue,
  isSameMove,
  mergeWaiting,
  postponedUntilPodsBind,
  sortWaiting,
  type WaitingCommand,
} from './commands/waiting-command.ts';
export {
  approvalText,
  isNeverApproved,
  type MoveScore,
  poolTotals,
  scoreMove,
} from './consolidation/balanced.ts';
export {
  type ConsolidationSearch,
  consolidate,
  type WeighedCommand,
} from './consolidation/consolidation.ts';
export type { DecisionContext } from './consolidation/consolidation-decision.ts';
export { PodMoves } from './consolidation/pod-moves.ts';
export { PriceBook } from './consolidation/price-book.ts';
export { isWorthwhile, type SavingsContext } from './consolidation/savings-thresholds.ts';
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
export { poolOptions } from './pool-options.ts';
