import { rejectionReasons } from '../api/index.ts';
import type { PlanSignal } from '../scheduling/index.ts';
import { isNominated } from '../state/index.ts';
import { BudgetLedger, type PoolBudget } from './budget.ts';
import { type Candidate, type CandidateContext, type CandidateJudge, isCandidate } from './candidate.ts';
import type { ClusterSimulation, Outcome } from './cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import { type DecisionContext, decideConsolidation, type Verdict } from './consolidation-decision.ts';
import { emptyCommand } from './emptiness.ts';
import { consolidationGate, emptinessGate } from './gate.ts';

export type RejectionReason = (typeof rejectionReasons)[keyof typeof rejectionReasons];

export interface RejectedCommand {
  readonly command: Command;
  readonly reason: RejectionReason;
}

export interface Validation {
  /** As they are to be carried out. */
  readonly valid: readonly Command[];
  readonly rejected: readonly RejectedCommand[];
}

export interface ValidationInputs extends CandidateContext {
  /** Of the moment that is judged. */
  readonly judge: CandidateJudge;
  readonly budgets: ReadonlyMap<string, PoolBudget>;
}

export interface SimulatedValidation extends ValidationInputs {
  readonly simulation: ClusterSimulation;
  readonly decision: DecisionContext;
}

/**
 * Looks at consolidations again after waiting, one by one as they will be carried out: each against the cluster of
 * now with those before it, as far as they still hold.
 */
export function* validateConsolidations(
  commands: readonly Command[],
  inputs: SimulatedValidation,
): Generator<void, Validation, PlanSignal> {
  const ledger = new BudgetLedger(inputs.budgets);
  const valid: Command[] = [];
  const rejected: RejectedCommand[] = [];
  const received = new Set<string>();
  for (const command of commands) {
    const reason =
      recheck(command, inputs, (candidate) => consolidationGate(candidate).isOpen, ledger) ??
      (command.candidates.some(({ name }) => received.has(name)) ? rejectionReasons.churn : undefined) ??
      (yield* resimulate(command, inputs));
    if (reason === undefined) {
      ledger.take(poolsOf(command));
      for (const name of command.destinations) received.add(name);
      valid.push(command);
    } else rejected.push({ command, reason });
    yield;
  }
  return { valid, rejected };
}

/** Why candidates do not qualify any more; undefined while they do. */
export function recheck(
  command: Command,
  inputs: ValidationInputs,
  isOpen: (candidate: Candidate) => boolean,
  ledger = new BudgetLedger(inputs.budgets),
): RejectionReason | undefined {
  const { snapshot, judge } = inputs;
  const states = new Map(snapshot.nodeStates.map((state) => [state.id, state]));
  const found = command.candidates.map(({ id }) => states.get(id));
  if (found.some((state) => state !== undefined && isNominated(state, snapshot.at)))
    return rejectionReasons.budget;
  const judged = found.map((state) => state && judge.judge(state, 'graceful'));
  const areCandidates = judged.every(
    (candidate) => candidate !== undefined && isCandidate(candidate) && isOpen(candidate),
  );
  if (!areCandidates) return rejectionReasons.churn;
  return ledger.allows(poolsOf(command)) ? undefined : rejectionReasons.budget;
}

function* resimulate(
  command: Command,
  { snapshot, judge, simulation, decision }: SimulatedValidation,
): Generator<void, RejectionReason | undefined, PlanSignal> {
  const ids = new Set(command.candidates.map(({ id }) => id));
  const candidates = snapshot.nodeStates
    .filter(({ id }) => ids.has(id))
    .map((state) => judge.judge(state, 'graceful'))
    .filter(isCandidate);
  const outcome = yield* simulation.without(candidates);
  const verdict = decideConsolidation(candidates, outcome, decision);
  if (!isStillRight(command, outcome, verdict)) return rejectionReasons.scheduling;
  const newNodes = command.replacements.filter(isPlanned);
  yield* simulation.settle({ removal: outcome.removal, plan: { ...outcome.plan, newNodes } });
  return undefined;
}

/** As many new nodes as before, and every type that was going to be asked for would still do. */
function isStillRight({ replacements }: Command, { plan, failures }: Outcome, verdict: Verdict): boolean {
  if (failures.length > 0 || plan.newNodes.length !== replacements.length) return false;
  if (replacements.length === 0) return true;
  if (verdict.kind === 'keep') return false;
  const now = new Set(plan.newNodes.flatMap(({ instanceTypes }) => instanceTypes));
  return replacements
    .filter(isPlanned)
    .every(({ instanceTypes }) => instanceTypes.every((name) => now.has(name)));
}

export interface EmptinessValidation {
  readonly command: Command | undefined;
  /** How many nodes were called off. */
  readonly dropped: number;
}

/** Of empty nodes those go that are still empty, and that budgets still let go. */
export function validateEmptiness(command: Command, inputs: ValidationInputs): EmptinessValidation {
  const ledger = new BudgetLedger(inputs.budgets);
  const reasons = command.candidates.map((candidate) => {
    const reason = recheck(
      { ...command, candidates: [candidate] },
      inputs,
      (now) => emptinessGate(now).isOpen,
      ledger,
    );
    if (reason === undefined) ledger.take(poolsOf({ candidates: [candidate] }));
    return { candidate, reason };
  });
  const left = reasons.filter(({ reason }) => reason === undefined).map(({ candidate }) => candidate);
  const held = reasons.filter(({ reason }) => reason === rejectionReasons.budget).length;
  const isChurn = left.length === 0 && held === 0;
  return {
    command: left.length === 0 ? undefined : emptyCommand(left),
    dropped: isChurn ? command.candidates.length : held,
  };
}
