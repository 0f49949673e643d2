import { rejectionReasons } from '../api/index.ts';
import type { PlanSignal } from '../scheduling/index.ts';
import { isNominated } from '../state/index.ts';
import { BudgetLedger, type PoolBudget } from './budget.ts';
import { type Candidate, type CandidateContext, type CandidateJudge, isCandidate } from './candidate.ts';
import type { ClusterSimulation, Outcome } from './cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import { consolidationCommand } from './consolidation.ts';
import { type DecisionContext, decideConsolidation, type Verdict } from './consolidation-decision.ts';
import { consolidationGate } from './gate.ts';

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
  for (const command of commands) {
    const reason = recheck(command, inputs, (candidate) => consolidationGate(candidate).isOpen, ledger);
    const now = reason === undefined ? yield* resimulate(command, inputs, simulation) : undefined;
    yield;
    if (now === undefined) {
      rejected.push({ command, reason: reason ?? rejectionReasons.scheduling });
      continue;
    }
    ledger.take(poolsOf(command));
    valid.push(now);
  }
  const together = yield* fittingTogether(valid, inputs);
  const late = valid
    .filter((command) => !together.has(command))
    .map((command) => ({ command, reason: rejectionReasons.scheduling }));
  const kept = valid.filter((command) => together.has(command));
  return { valid: kept.map((command) => amongOthers(command, kept)), rejected: [...rejected, ...late] };
}

/** Nodes that go themselves are nobody's destination. */
function amongOthers(command: Command, commands: readonly Command[]): Command {
  const going = new Set(commands.flatMap(({ candidates }) => candidates.map(({ name }) => name)));
  return { ...command, destinations: command.destinations.filter(({ node }) => !going.has(node)) };
}

/**
 * The commands that leave a cluster with room for all pods at once without one more node: all replacements, and of the
 * deletions as many as possible from the first on. Halving finds a number that is known to fit, if not always the
 * largest.
 */
function* fittingTogether(
  commands: readonly Command[],
  inputs: SimulatedValidation,
): Generator<void, ReadonlySet<Command>, PlanSignal> {
  const replaced = commands.filter(({ replacements }) => replacements.length > 0);
  const deleted = commands.filter(({ replacements }) => replacements.length === 0);
  // The first one has been asked about alone.
  let fitting = Math.min(deleted.length, replaced.length === 0 ? 1 : 0);
  let tried = deleted.length;
  let tooMany = deleted.length + 1;
  while (tried > fitting) {
    if (yield* fits(deleted.slice(0, tried), replaced, inputs)) fitting = tried;
    else tooMany = tried;
    tried = Math.floor((fitting + tooMany) / 2);
  }
  return new Set([...replaced, ...deleted.slice(0, fitting)]);
}

function* fits(
  deleted: readonly Command[],
  replaced: readonly Command[],
  inputs: SimulatedValidation,
): Generator<void, boolean, PlanSignal> {
  const simulation = yield* inputs.simulate();
  for (const command of replaced) yield* resimulate(command, inputs, simulation);
  const { plan, failures } = yield* simulation.without(
    deleted.flatMap((command) => candidatesOf(command, inputs)),
    'all',
  );
  return plan.newNodes.length === 0 && failures.length === 0;
}

/** Why a command cannot be carried out any more; undefined while it can. */
export function recheck(
  command: Command,
  inputs: ValidationInputs,
  isOpen: (candidate: Candidate) => boolean,
  ledger = new BudgetLedger(inputs.budgets),
): RejectionReason | undefined {
  const reason = disqualified(command, inputs, isOpen);
  if (reason !== undefined) return reason;
  return ledger.allows(poolsOf(command)) ? undefined : rejectionReasons.budget;
}

/** Why candidates do not qualify any more, whatever budgets say; undefined while they do. */
export function disqualified(
  command: Command,
  { snapshot, judge }: ValidationInputs,
  isOpen: (candidate: Candidate) => boolean,
): RejectionReason | undefined {
  const found = command.candidates.map(({ id }) => judge.stateOf(id));
  if (found.some((state) => state !== undefined && isNominated(state, snapshot.at)))
    return rejectionReasons.budget;
  const judged = found.map((state) => state && judge.judge(state, 'graceful'));
  const areCandidates = judged.every(
    (candidate) => candidate !== undefined && isCandidate(candidate) && isOpen(candidate),
  );
  return areCandidates ? undefined : rejectionReasons.churn;
}

/** The command as it is to be carried out now, which from then on it is; undefined if it is not right any more. */
function* resimulate(
  command: Command,
  inputs: SimulatedValidation,
  simulation: ClusterSimulation,
): Generator<void, Command | undefined, PlanSignal> {
  const { decision } = inputs;
  const candidates = candidatesOf(command, inputs);
  const outcome = yield* simulation.without(candidates);
  const verdict = decideConsolidation(candidates, outcome, decision);
  if (!isStillRight(command, outcome, verdict)) return undefined;
  const fresh = consolidationCommand(candidates, outcome, verdict, decision);
  const isBetter = fresh.savings > command.savings && !holdsReservation(verdict, decision);
  const now = isBetter ? fresh : { ...command, candidates, destinations: fresh.destinations };
  const newNodes = now.replacements.filter(isPlanned);
  yield* simulation.settle({ removal: outcome.removal, plan: { ...outcome.plan, newNodes } });
  return now;
}

/** Reservations were shared out when commands were found. */
function holdsReservation(verdict: Verdict, { prices }: DecisionContext): boolean {
  return verdict.kind === 'replace' && prices.reservations(verdict.replacement.planned).length > 0;
}

/** As they are now. */
function candidatesOf(command: Command, inputs: ValidationInputs): readonly Candidate[] {
  return asOfNow(command, inputs)?.candidates ?? [];
}

/** The command with its nodes as they are now; undefined when one of them is no candidate any more. */
export function asOfNow(command: Command, { judge }: ValidationInputs): Command | undefined {
  const candidates = command.candidates
    .flatMap(({ id }) => judge.stateOf(id) ?? [])
    .map((state) => judge.judge(state, 'graceful'))
    .filter(isCandidate);
  return candidates.length === command.candidates.length ? { ...command, candidates } : undefined;
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
