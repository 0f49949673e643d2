import { rejectionReasons } from '../api/index.ts';
import type { PlanSignal } from '../scheduling/index.ts';
import { isNominated } from '../state/index.ts';
import { BudgetLedger, type PoolBudget } from './budget.ts';
import { type Candidate, type CandidateContext, type CandidateJudge, isCandidate } from './candidate.ts';
import type { ClusterSimulation, Outcome } from './cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import { type DecisionContext, decideConsolidation, type Verdict } from './consolidation-decision.ts';
import { destinationsOf } from './drift.ts';
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
  /** The cluster of that moment, with nothing decided yet. */
  readonly simulate: () => Generator<void, ClusterSimulation, PlanSignal>;
  readonly decision: DecisionContext;
}

/**
 * Looks at consolidations again after waiting, one by one as they will be carried out: each against the cluster of
 * now with those before it, as far as they still hold. Then all together: nobody moves pods command by command, and
 * they must find a place in whatever order they come.
 */
export function* validateConsolidations(
  commands: readonly Command[],
  inputs: SimulatedValidation,
): Generator<void, Validation, PlanSignal> {
  const ledger = new BudgetLedger(inputs.budgets);
  const simulation = yield* inputs.simulate();
  const valid: Command[] = [];
  const rejected: RejectedCommand[] = [];
  const received = new Set<string>();
  for (const command of commands) {
    const reason =
      recheck(command, inputs, (candidate) => consolidationGate(candidate).isOpen, ledger) ??
      (command.candidates.some(({ name }) => received.has(name)) ? rejectionReasons.churn : undefined);
    const outcome = reason === undefined ? yield* resimulate(command, inputs, simulation) : undefined;
    yield;
    if (outcome === undefined) {
      rejected.push({ command, reason: reason ?? rejectionReasons.scheduling });
      continue;
    }
    const destinations = destinationsOf(outcome);
    ledger.take(poolsOf(command));
    for (const name of destinations) received.add(name);
    valid.push({ ...command, destinations });
  }
  const together = yield* fittingTogether(valid, inputs);
  const late = valid.slice(together).map((command) => ({ command, reason: rejectionReasons.scheduling }));
  return { valid: valid.slice(0, together), rejected: [...rejected, ...late] };
}

/** Of commands that do not fit together so many are tried next. */
const keptShare = 0.8;

/** How many of the commands, from the first on, leave a cluster that has room for all pods at once without one more node. */
function* fittingTogether(
  commands: readonly Command[],
  inputs: SimulatedValidation,
): Generator<void, number, PlanSignal> {
  for (let count = commands.length; count > 1; count = Math.floor(count * keptShare)) {
    const taken = commands.slice(0, count);
    const simulation = yield* inputs.simulate();
    for (const command of taken.filter(({ replacements }) => replacements.length > 0))
      yield* resimulate(command, inputs, simulation);
    const deleted = taken.filter(({ replacements }) => replacements.length === 0);
    const { plan, failures } = yield* simulation.without(
      deleted.flatMap((command) => candidatesOf(command, inputs)),
      'all',
    );
    if (plan.newNodes.length === 0 && failures.length === 0) return count;
  }
  return Math.min(1, commands.length);
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

/** What becomes of the cluster; undefined if the command is not right any more. */
function* resimulate(
  command: Command,
  inputs: SimulatedValidation,
  simulation: ClusterSimulation,
): Generator<void, Outcome | undefined, PlanSignal> {
  const candidates = candidatesOf(command, inputs);
  const outcome = yield* simulation.without(candidates);
  if (!isStillRight(command, outcome, decideConsolidation(candidates, outcome, inputs.decision)))
    return undefined;
  const newNodes = command.replacements.filter(isPlanned);
  yield* simulation.settle({ removal: outcome.removal, plan: { ...outcome.plan, newNodes } });
  return outcome;
}

/** As they are now. */
function candidatesOf(command: Command, { snapshot, judge }: ValidationInputs): readonly Candidate[] {
  const ids = new Set(command.candidates.map(({ id }) => id));
  return snapshot.nodeStates
    .filter(({ id }) => ids.has(id))
    .map((state) => judge.judge(state, 'graceful'))
    .filter(isCandidate);
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
