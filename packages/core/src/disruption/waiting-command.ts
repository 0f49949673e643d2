import { disruptionReasons, disruptionTuning, rejectionReasons } from '../api/index.ts';
import type { Steps } from '../yielding/index.ts';
import { BudgetLedger } from './budget.ts';
import type { Candidate } from './candidate.ts';
import { type ClusterSimulation, isStarting } from './cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import { netSavings } from './moved-pods.ts';
import {
  disqualification,
  type RejectedCommand,
  type RejectionReason,
  type ValidationInputs,
} from './validation.ts';

/** A command that was found and waits for the validation delay and for room in budgets. */
export interface WaitingCommand {
  readonly command: Command;
  /** When it was found, in milliseconds since 1970. */
  readonly since: number;
  /** Since when it could have started, had it not waited for others; absent before. */
  readonly heldSince?: number;
  /** Its validation failed while pods waited for nodes, and is repeated when they have them. */
  readonly awaitsNodes?: boolean;
}

/** Whether the validation delay has passed, in which the cluster may have changed. */
export function isDue({ since }: Pick<WaitingCommand, 'since'>, at: number): boolean {
  return at - since >= disruptionTuning.validationDelay;
}

export interface SortedCommands {
  /** Due, and allowed by budgets all together. */
  readonly ready: readonly Command[];
  /** Not due yet, or without room in a budget. */
  readonly waiting: readonly WaitingCommand[];
  /** Due, but no longer valid, or larger than its budget can ever allow. */
  readonly rejected: readonly RejectedCommand[];
}

interface Sorting {
  /** Commands that neither run now nor are rejected. */
  readonly open: ReadonlySet<WaitingCommand>;
  readonly inputs: ValidationInputs;
  readonly isOpen: (candidate: Candidate) => boolean;
  readonly ledger: BudgetLedger;
}

/**
 * Splits commands into those to run now and others. A command may overtake an earlier one that needs more of
 * a budget than is left.
 */
export function sortWaiting(
  commands: readonly WaitingCommand[],
  inputs: ValidationInputs,
  isOpen: (candidate: Candidate) => boolean,
  ledger = new BudgetLedger(inputs.budgets),
): SortedCommands {
  const { at } = inputs.snapshot;
  const ready: Command[] = [];
  const waiting: WaitingCommand[] = [];
  const rejected: RejectedCommand[] = [];
  const open = new Set(commands);
  for (const each of commands) {
    const verdict = isDue(each, at) ? judge(each, { open, inputs, isOpen, ledger }) : 'wait';
    if (verdict !== 'wait' && verdict !== 'hold') open.delete(each);
    if (verdict === 'run') ready.push(each.command);
    else if (verdict === 'wait') waiting.push(each);
    else if (verdict === 'hold') waiting.push({ heldSince: at, ...each });
    else rejected.push({ command: each.command, reason: verdict });
  }
  return { ready, waiting, rejected };
}

/** What becomes of a due command. */
function judge(waiting: WaitingCommand, sorting: Sorting): 'run' | 'wait' | 'hold' | RejectionReason {
  const { command } = waiting;
  const { inputs, ledger, isOpen } = sorting;
  const pools = poolsOf(command);
  const reason = disqualification(command, inputs, isOpen);
  if (reason !== undefined && !maySettle(waiting, reason, sorting)) return reason;
  if (!ledger.mayAllow(pools)) return rejectionReasons.budget;
  if (!ledger.allows(pools)) return 'wait';
  if (reason !== undefined || (mayHold(waiting, inputs.snapshot.at) && isBetterLater(waiting, sorting)))
    return 'hold';
  ledger.take(pools);
  return 'run';
}

function isBetterLater(waiting: WaitingCommand, sorting: Sorting): boolean {
  const isFailing = waiting.awaitsNodes === true && isSettling(sorting.inputs.snapshot);
  return isFailing || isOutweighed(waiting, sorting);
}

/** Whether pods wait for nodes. No moved pod may depend on these, so a simulation finds less room than there will be. */
function isSettling({ nodes, pods }: ValidationInputs['snapshot']): boolean {
  return pods.length > 0 || nodes.some(isStarting);
}

/**
 * Whether what disqualifies a consolidation may pass: a pod that comes to its node, often from the command before it,
 * may have settled when it is its turn, or soon after.
 */
function maySettle(
  waiting: WaitingCommand,
  reason: RejectionReason,
  { inputs: { evaluator, snapshot }, ledger }: Sorting,
): boolean {
  const { candidates } = waiting.command;
  if (!isConsolidation(waiting) || candidates.some(({ id }) => evaluator.stateOf(id) === undefined))
    return false;
  if (!ledger.allows(poolsOf(waiting.command))) return true;
  return reason === rejectionReasons.budget && mayHold(waiting, snapshot.at);
}

/** Not for long: pods may keep coming, and other commands may turn out to be invalid. */
function mayHold(waiting: WaitingCommand, at: number): boolean {
  const { heldSince = at } = waiting;
  return isConsolidation(waiting) && at - heldSince < disruptionTuning.longestHold;
}

function isConsolidation({ command: { reason } }: WaitingCommand): boolean {
  return reason === disruptionReasons.underutilized;
}

/**
 * Whether commands that save far more need the room in the budget. They may have been found a moment later, and would
 * wait until this one is done.
 */
function isOutweighed({ command }: WaitingCommand, { open, ledger }: Sorting): boolean {
  const pools = poolsOf(command);
  const least = disruptionTuning.largerCommandFactor * netSavings(command);
  const larger = [...open]
    .filter((other) => netSavings(other.command) > least)
    .flatMap((other) => poolsOf(other.command))
    .filter((pool) => pools.includes(pool));
  return larger.length > 0 && !ledger.allows([...pools, ...larger]);
}

/**
 * The consolidations that wait on although their validation failed, because pods wait for nodes: often pods of the
 * command before that kube-scheduler did not bind as planned.
 */
export function heldUntilSettled({
  before,
  rejected,
  snapshot,
}: {
  readonly before: readonly WaitingCommand[];
  readonly rejected: readonly RejectedCommand[];
  readonly snapshot: ValidationInputs['snapshot'];
}): readonly WaitingCommand[] {
  const { at } = snapshot;
  if (!isSettling(snapshot)) return [];
  const failed = rejected.filter(({ reason }) => reason === rejectionReasons.scheduling);
  return before
    .filter((each) => mayHold(each, at) && failed.some(({ command }) => isSameMove(command, each.command)))
    .map((each) => ({ heldSince: at, ...each, awaitsNodes: true }));
}

export interface MergedCommands {
  readonly waiting: readonly WaitingCommand[];
  /** Commands that no longer wait, and whose nodes are in no other. */
  readonly dropped: readonly Command[];
}

/**
 * Waiting commands after a search that was free to decide about their nodes again. One that was found again has waited
 * since it was first found. One with a node that the search could not consider, such as a node that expects a pod, stays
 * too. The others are dropped: what was found instead is better.
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
  const open = before.filter(({ command }) => {
    const ids = idsOf(command);
    return ids.some((id) => !known.has(id)) && !ids.some((id) => taken.has(id));
  });
  const again = found.map((command) => {
    const earlier = before.find((each) => isSameMove(each.command, command));
    return { since: at, ...earlier, command };
  });
  const waiting = [...open, ...again];
  const kept = new Set(waiting.flatMap((each) => idsOf(each.command)));
  const dropped = before
    .map(({ command }) => command)
    .filter((one) => !idsOf(one).some((id) => kept.has(id)));
  return { waiting, dropped };
}

/** Whether two commands remove the same nodes. What replaces these may change with every pod that comes or goes. */
export function isSameMove(a: Command, b: Command): boolean {
  const [ofA, ofB] = [new Set(idsOf(a)), idsOf(b)];
  return ofA.size === ofB.length && ofB.every((id) => ofA.has(id));
}

function idsOf({ candidates }: Command): readonly string[] {
  return candidates.map(({ id }) => id);
}

/**
 * Carries out waiting commands in a simulation, so that a search does not find commands that conflict with
 * them. A command that would fail now is skipped: it may be valid again when it is due.
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
