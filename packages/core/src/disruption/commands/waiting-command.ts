import { disruptionReasons, disruptionTuning, rejectionReasons } from '../../api/index.ts';
import type { Steps } from '../../yielding/index.ts';
import { BudgetLedger } from '../budgets/budget.ts';
import type { Candidate } from '../candidates/candidate.ts';
import { type ClusterSimulation, isStarting } from '../cluster-simulation.ts';
import { netSavings } from '../consolidation/moved-pods.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import {
  disqualification,
  type RejectedCommand,
  type RejectionReason,
  type ValidationInputs,
} from './validation.ts';

/** A command that was found and waits for the validation delay and for room in budgets (ADR 0031). */
export interface WaitingCommand {
  readonly command: Command;
  /** When it was found, in milliseconds since 1970. */
  readonly since: number;
  /** When it was first postponed although it was due and budgets had room; absent if it never was. */
  readonly heldSince?: number;
  /** Its validation failed while pods waited for nodes. It is validated again when these pods have nodes. */
  readonly awaitsNodes?: boolean;
}

/** Whether the validation delay has passed, in which the cluster may have changed. */
export function isDue({ since }: Pick<WaitingCommand, 'since'>, at: number): boolean {
  return at - since >= disruptionTuning.validationDelay;
}

export interface SortedCommands {
  /** Due, and allowed by budgets all together. */
  readonly ready: readonly Command[];
  /** Not due yet, without room in a budget, or postponed. */
  readonly waiting: readonly WaitingCommand[];
  /** Due, but no longer valid, or larger than its budget can ever allow. */
  readonly rejected: readonly RejectedCommand[];
}

interface Sorting {
  /** Commands that have neither started nor been rejected so far. */
  readonly remaining: ReadonlySet<WaitingCommand>;
  readonly inputs: ValidationInputs;
  readonly isEligible: (candidate: Candidate) => boolean;
  readonly ledger: BudgetLedger;
}

/**
 * Splits commands into those to run now and others. A command may overtake an earlier one that needs more of
 * a budget than is left. `isEligible` is the gate of the method: whether it may disrupt the candidate now.
 */
export function sortWaiting(
  commands: readonly WaitingCommand[],
  inputs: ValidationInputs,
  isEligible: (candidate: Candidate) => boolean,
  ledger = new BudgetLedger(inputs.budgets),
): SortedCommands {
  const { at } = inputs.snapshot;
  const ready: Command[] = [];
  const waiting: WaitingCommand[] = [];
  const rejected: RejectedCommand[] = [];
  const remaining = new Set(commands);
  for (const each of commands) {
    const verdict = isDue(each, at) ? judge(each, { remaining, inputs, isEligible, ledger }) : 'wait';
    if (verdict !== 'wait' && verdict !== 'postpone') remaining.delete(each);
    if (verdict === 'run') ready.push(each.command);
    else if (verdict === 'wait') waiting.push(each);
    // An earlier `heldSince` is kept, because `longestHold` limits all postponements of a command together.
    else if (verdict === 'postpone') waiting.push({ heldSince: at, ...each });
    else rejected.push({ command: each.command, reason: verdict });
  }
  return { ready, waiting, rejected };
}

/**
 * Decides about a due command. `wait`: a budget has no room for it, for however long. `postpone`: it could start but is
 * better started later, at most `longestHold` after it was first postponed.
 */
function judge(waiting: WaitingCommand, sorting: Sorting): 'run' | 'wait' | 'postpone' | RejectionReason {
  const { command } = waiting;
  const { inputs, ledger, isEligible } = sorting;
  const pools = poolsOf(command);
  const reason = disqualification(command, inputs, isEligible);
  if (reason !== undefined && !mayQualifyLater(waiting, reason, sorting)) return reason;
  if (!ledger.mayAllow(pools)) return rejectionReasons.budget;
  if (!ledger.allows(pools)) return 'wait';
  if (reason !== undefined || (mayPostpone(waiting, inputs.snapshot.at) && isBetterLater(waiting, sorting)))
    return 'postpone';
  ledger.take(pools);
  return 'run';
}

function isBetterLater(waiting: WaitingCommand, sorting: Sorting): boolean {
  const isFailing = waiting.awaitsNodes === true && arePodsWaiting(sorting.inputs.snapshot);
  return isFailing || isNeededByLarger(waiting, sorting);
}

/**
 * Whether pods wait for nodes, or nodes are starting. No moved pod may depend on a node that starts, so a simulation
 * finds less room now than there will be.
 */
function arePodsWaiting({ nodes, pods }: ValidationInputs['snapshot']): boolean {
  return pods.length > 0 || nodes.some(isStarting);
}

/**
 * Whether a consolidation that is disqualified now may qualify again soon. Often its node is nominated for pods of the
 * command before it, and these pods are bound by the time a budget has room.
 */
function mayQualifyLater(
  waiting: WaitingCommand,
  reason: RejectionReason,
  { inputs: { evaluator, snapshot }, ledger }: Sorting,
): boolean {
  const { candidates } = waiting.command;
  if (!isConsolidation(waiting) || candidates.some(({ id }) => evaluator.stateOf(id) === undefined))
    return false;
  if (!ledger.allows(poolsOf(waiting.command))) return true;
  // Nominated nodes are rejected with the reason `budget`, see `disqualification`.
  return reason === rejectionReasons.budget && mayPostpone(waiting, snapshot.at);
}

/** Limited in time: pods may keep coming, and the command it waits for may turn out to be invalid. */
function mayPostpone(waiting: WaitingCommand, at: number): boolean {
  const { heldSince = at } = waiting;
  return isConsolidation(waiting) && at - heldSince < disruptionTuning.longestHold;
}

function isConsolidation({ command: { reason } }: WaitingCommand): boolean {
  return reason === disruptionReasons.underutilized;
}

/**
 * Whether commands that save far more need the room in the budget. They may be due only a moment later, and would
 * then have to wait until the nodes of this command are gone.
 */
function isNeededByLarger({ command }: WaitingCommand, { remaining, ledger }: Sorting): boolean {
  const pools = poolsOf(command);
  const least = disruptionTuning.largerCommandFactor * netSavings(command);
  const larger = [...remaining]
    .filter((other) => netSavings(other.command) > least)
    .flatMap((other) => poolsOf(other.command))
    .filter((pool) => pools.includes(pool));
  return larger.length > 0 && !ledger.allows([...pools, ...larger]);
}

/**
 * The consolidations whose validation failed and is repeated, because pods wait for nodes: often pods of an earlier
 * command that kube-scheduler did not bind as planned.
 */
export function postponedUntilPodsBind({
  before,
  rejected,
  snapshot,
}: {
  readonly before: readonly WaitingCommand[];
  readonly rejected: readonly RejectedCommand[];
  readonly snapshot: ValidationInputs['snapshot'];
}): readonly WaitingCommand[] {
  const { at } = snapshot;
  if (!arePodsWaiting(snapshot)) return [];
  const failed = rejected.filter(({ reason }) => reason === rejectionReasons.scheduling);
  return before
    .filter(
      (each) => mayPostpone(each, at) && failed.some(({ command }) => isSameMove(command, each.command)),
    )
    .map((each) => ({ heldSince: at, ...each, awaitsNodes: true }));
}

export interface MergedCommands {
  readonly waiting: readonly WaitingCommand[];
  /** Commands that no longer wait, and whose nodes are in no waiting command. */
  readonly dropped: readonly Command[];
}

/**
 * Merges the commands of a search that also considered the nodes of waiting commands. A command that was found again
 * keeps its waiting time. A waiting command stays if the search could not consider one of its nodes, such as a
 * nominated node. The others are dropped: what was found instead is better.
 */
export function mergeWaiting({
  before,
  found,
  searched,
  at,
}: {
  readonly before: readonly WaitingCommand[];
  readonly found: readonly Command[];
  readonly searched: readonly Pick<Candidate, 'id'>[];
  readonly at: number;
}): MergedCommands {
  const known = new Set(searched.map(({ id }) => id));
  const taken = new Set(found.flatMap(idsOf));
  const unsearched = before.filter(({ command }) => {
    const ids = idsOf(command);
    return ids.some((id) => !known.has(id)) && !ids.some((id) => taken.has(id));
  });
  const again = found.map((command) => {
    const earlier = before.find((each) => isSameMove(each.command, command));
    return { since: at, ...earlier, command };
  });
  const waiting = [...unsearched, ...again];
  const kept = new Set(waiting.flatMap((each) => idsOf(each.command)));
  const dropped = before
    .map(({ command }) => command)
    .filter((one) => !idsOf(one).some((id) => kept.has(id)));
  return { waiting, dropped };
}

/**
 * Whether two commands remove the same nodes. Replacements are not compared: they may change with every pod that comes
 * or goes.
 */
export function isSameMove(a: Command, b: Command): boolean {
  const [ofA, ofB] = [new Set(idsOf(a)), idsOf(b)];
  return ofA.size === ofB.length && ofB.every((id) => ofA.has(id));
}

function idsOf({ candidates }: Command): readonly string[] {
  return candidates.map(({ id }) => id);
}

/**
 * Applies waiting commands to a simulation, so that a search does not find commands that conflict with them. A command
 * that would fail now is skipped: it may be valid again when it is due.
 */
export function* anticipate(commands: readonly Command[], simulation: ClusterSimulation): Steps<void> {
  for (const { candidates, replacements, avoided = [] } of commands) {
    simulation.avoid(avoided);
    const { removal, plan, failures } = yield* simulation.without(candidates, 'all');
    const maxNewNodes = replacements.length + simulation.newNodesForPending;
    if (failures.length > 0 || plan.newNodes.length > maxNewNodes) continue;
    yield* simulation.settle({ removal, plan: { ...plan, newNodes: replacements.filter(isPlanned) } });
    yield;
  }
}
