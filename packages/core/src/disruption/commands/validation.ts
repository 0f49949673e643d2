import { consolidationTuning, rejectionReasons } from '../../api/index.ts';
import { isNominated } from '../../state/index.ts';
import type { Steps } from '../../yielding/index.ts';
import { BudgetLedger, type PoolBudget } from '../budgets/budget.ts';
import {
  type Candidate,
  type CandidateContext,
  type CandidateEvaluator,
  isCandidate,
} from '../candidates/candidate.ts';
import { consolidationGate } from '../candidates/gate.ts';
import type { ClusterSimulation, RemovalOutcome } from '../cluster-simulation.ts';
import { consolidationCommand } from '../consolidation/consolidation.ts';
import {
  type ConsolidationVerdict,
  type DecisionContext,
  decideConsolidation,
} from '../consolidation/consolidation-decision.ts';
import { decideRegrouping } from '../consolidation/regrouping-decision.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';

export type RejectionReason = (typeof rejectionReasons)[keyof typeof rejectionReasons];

export interface RejectedCommand {
  readonly command: Command;
  readonly reason: RejectionReason;
}

export interface CommandValidation {
  /** The commands to execute, with current candidates and destinations. */
  readonly valid: readonly Command[];
  readonly rejected: readonly RejectedCommand[];
}

export interface ValidationInputs extends CandidateContext {
  /** For the snapshot that commands are validated against. */
  readonly evaluator: CandidateEvaluator;
  readonly budgets: ReadonlyMap<string, PoolBudget>;
}

export interface SimulatedValidation extends ValidationInputs {
  /** Simulates the cluster of that snapshot, with no command applied yet. */
  readonly simulate: () => Steps<ClusterSimulation>;
  readonly decision: DecisionContext;
}

/**
 * Validates consolidations after the delay, in order: each in the current cluster with the earlier valid ones applied.
 * Then validates all together, because kube-scheduler binds pods of different commands in any order and all of them
 * must fit (ADR 0025).
 */
export function* validateConsolidations(
  commands: readonly Command[],
  inputs: SimulatedValidation,
): Steps<CommandValidation> {
  const ledger = new BudgetLedger(inputs.budgets);
  const simulation = yield* simulateFor(commands, inputs);
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
    // Only for valid commands: a rejected one leaves its place in the budget to the next.
    ledger.take(poolsOf(command));
    valid.push(now);
  }
  const together = yield* fittingTogether(valid, inputs);
  const notTogether = valid
    .filter((command) => !together.has(command))
    .map((command) => ({ command, reason: rejectionReasons.scheduling }));
  const kept = valid.filter((command) => together.has(command));
  return {
    valid: kept.map((command) => withoutRemovedDestinations(command, kept)),
    rejected: [...rejected, ...notTogether],
  };
}

function* simulateFor(
  commands: readonly Command[],
  { simulate }: SimulatedValidation,
): Steps<ClusterSimulation> {
  const simulation = yield* simulate();
  for (const { avoided = [] } of commands) simulation.avoid(avoided);
  return simulation;
}

/** Drops destinations that another command removes. */
function withoutRemovedDestinations(command: Command, commands: readonly Command[]): Command {
  const removed = new Set(commands.flatMap(({ candidates }) => candidates.map(({ name }) => name)));
  return { ...command, destinations: command.destinations.filter(({ node }) => !removed.has(node)) };
}

/**
 * The commands after which all pods fit at once without another new node: all replacements, and as many
 * deletions as possible from the first on. Bisection finds a number that fits, though not always the largest.
 */
function* fittingTogether(
  commands: readonly Command[],
  inputs: SimulatedValidation,
): Steps<ReadonlySet<Command>> {
  const replaced = commands.filter(({ replacements }) => replacements.length > 0);
  const deleted = commands.filter(({ replacements }) => replacements.length === 0);
  // The first deletion was validated alone already.
  let fitting = Math.min(deleted.length, replaced.length === 0 ? 1 : 0);
  let tried = deleted.length;
  let notFitting = deleted.length + 1;
  while (tried > fitting) {
    if (yield* fits(deleted.slice(0, tried), replaced, inputs)) fitting = tried;
    else notFitting = tried;
    tried = Math.floor((fitting + notFitting) / 2);
  }
  return new Set([...replaced, ...deleted.slice(0, fitting)]);
}

function* fits(
  deleted: readonly Command[],
  replaced: readonly Command[],
  inputs: SimulatedValidation,
): Steps<boolean> {
  const simulation = yield* simulateFor([...deleted, ...replaced], inputs);
  for (const command of replaced) yield* resimulate(command, inputs, simulation);
  const { plan, failures } = yield* simulation.without(
    deleted.flatMap((command) => candidatesOf(command, inputs)),
    'all',
  );
  return plan.newNodes.length === 0 && failures.length === 0;
}

/** Why a command can no longer run; undefined while it can. `isEligible` is the gate of the method. */
export function recheck(
  command: Command,
  inputs: ValidationInputs,
  isEligible: (candidate: Candidate) => boolean,
  ledger = new BudgetLedger(inputs.budgets),
): RejectionReason | undefined {
  const reason = disqualification(command, inputs, isEligible);
  if (reason !== undefined) return reason;
  return ledger.allows(poolsOf(command)) ? undefined : rejectionReasons.budget;
}

/**
 * Why candidates no longer qualify, apart from budgets; undefined while they do. A nominated node counts as a
 * budget rejection, as in Karpenter.
 */
export function disqualification(
  command: Command,
  { snapshot, evaluator }: ValidationInputs,
  isEligible: (candidate: Candidate) => boolean,
): RejectionReason | undefined {
  const found = command.candidates.map(({ id }) => evaluator.stateOf(id));
  if (found.some((state) => state !== undefined && isNominated(state, snapshot.at)))
    return rejectionReasons.budget;
  const evaluated = found.map((state) => state && evaluator.evaluate(state, 'graceful'));
  const areCandidates = evaluated.every(
    (candidate) => candidate !== undefined && isCandidate(candidate) && isEligible(candidate),
  );
  return areCandidates ? undefined : rejectionReasons.churn;
}

/**
 * Simulates the command again and, if it is still valid, applies it to the simulation. Returns the command to execute;
 * undefined if it is no longer valid.
 */
function* resimulate(
  command: Command,
  inputs: SimulatedValidation,
  simulation: ClusterSimulation,
): Steps<Command | undefined> {
  const { decision } = inputs;
  const candidates = candidatesOf(command, inputs);
  const isRegrouping = command.replacements.length > 1;
  const outcome = yield* simulation.without(candidates, 'settled', !isRegrouping);
  const decide = isRegrouping ? decideRegrouping : decideConsolidation;
  const verdict = decide(candidates, outcome, decision);
  const fresh = consolidationCommand(candidates, outcome, verdict, decision);
  const now = isRegrouping
    ? stillRegrouping(command, fresh, verdict)
    : stillReplacement(command, fresh, { outcome, verdict, decision });
  if (now === undefined) return undefined;
  const newNodes = now.replacements.filter(isPlanned);
  yield* simulation.settle({ removal: outcome.removal, plan: { ...outcome.plan, newNodes } });
  return command.avoided === undefined ? now : { ...now, avoided: command.avoided };
}

/** A regrouping runs as it is planned now, if that needs no more nodes and keeps most of its savings (ADR 0058). */
function stillRegrouping(
  command: Command,
  fresh: Command,
  verdict: ConsolidationVerdict,
): Command | undefined {
  const isSimilar =
    fresh.replacements.length <= command.replacements.length &&
    fresh.savings >= command.savings * consolidationTuning.regroupingSavingsKept;
  return verdict.kind !== 'keep' && isSimilar ? fresh : undefined;
}

interface Resimulated {
  readonly outcome: RemovalOutcome;
  readonly verdict: ConsolidationVerdict;
  readonly decision: DecisionContext;
}

/**
 * The new replacement is taken if it saves more: pods may have gone while the command waited, and keeping the old one
 * would replace a node twice in one scale-in (ADR 0031).
 */
function stillReplacement(
  command: Command,
  fresh: Command,
  { outcome, verdict, decision }: Resimulated,
): Command | undefined {
  if (!isStillValid(command, outcome, verdict)) return undefined;
  const isBetter = fresh.savings > command.savings && !holdsReservation(verdict, decision);
  return isBetter ? fresh : { ...command, candidates: fresh.candidates, destinations: fresh.destinations };
}

/**
 * The search let only one command use each reservation (ADR 0025), so a new plan must not use another one.
 */
function holdsReservation(verdict: ConsolidationVerdict, { prices }: DecisionContext): boolean {
  return (
    verdict.kind === 'replace' &&
    verdict.replacements.some(({ planned }) => prices.reservations(planned).length > 0)
  );
}

/** The candidates of a command in their current state. */
function candidatesOf(command: Command, inputs: ValidationInputs): readonly Candidate[] {
  return asOfNow(command, inputs)?.candidates ?? [];
}

/** The command with the current state of its nodes; undefined if one of them is no longer a candidate. */
export function asOfNow(command: Command, { evaluator }: ValidationInputs): Command | undefined {
  const candidates = command.candidates
    .flatMap(({ id }) => evaluator.stateOf(id) ?? [])
    .map((state) => evaluator.evaluate(state, 'graceful'))
    .filter(isCandidate);
  return candidates.length === command.candidates.length ? { ...command, candidates } : undefined;
}

/**
 * Valid if the simulation creates as many new nodes as before and still allows every instance type of the
 * replacement, as Karpenter's validation requires.
 */
function isStillValid(
  { replacements }: Command,
  { plan, failures }: RemovalOutcome,
  verdict: ConsolidationVerdict,
): boolean {
  if (failures.length > 0 || plan.newNodes.length !== replacements.length) return false;
  if (replacements.length === 0) return true;
  if (verdict.kind === 'keep') return false;
  const now = new Set(plan.newNodes.flatMap(({ instanceTypes }) => instanceTypes));
  return replacements
    .filter(isPlanned)
    .every(({ instanceTypes }) => instanceTypes.every((name) => now.has(name)));
}
