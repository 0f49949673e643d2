import {
  consolidationTypes,
  disruptionMetrics,
  disruptionReasons,
  metricLabelValue,
  rejectionReasons,
} from '@karpenter/core/api';
import {
  BudgetLedger,
  bySavingsRatio,
  type Candidate,
  CandidateEvaluator,
  type Command,
  type CommandValidation,
  type ConsolidationSearch,
  candidateSteps,
  consolidate,
  consolidationGate,
  type DecisionContext,
  type GateVerdict,
  gateSteps,
  isSameMove,
  isStarting,
  type MoveScore,
  mergeWaiting,
  PriceBook,
  poolsOf,
  poolTotals,
  postponedUntilPodsBind,
  type RejectedCommand,
  recheck,
  sortWaiting,
  validateConsolidations,
  type WaitingCommand,
} from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { Steps } from '@karpenter/core/yielding';
import { runStepsUntilAborted, yieldToEventLoop } from '@karpenter/kube/yielding';
import { planOptions } from '../planning/index.ts';
import {
  publishApproved,
  publishCandidates,
  publishRejected,
  publishUnconsolidatable,
  recordRejected,
} from './disruption-events.ts';
import {
  countFailedValidations,
  type Method,
  type MethodContext,
  type MethodInput,
  measureEvaluation,
  prepareInput,
  reportEligible,
  simulationSteps,
} from './method.ts';
import { Pass } from './pass.ts';
import { SearchCache } from './search-cache.ts';

/** Constraints of a search: the budgets that are left, and commands decided before it. */
interface Limits {
  readonly ledger: BudgetLedger;
  readonly decided: readonly Command[];
}

/**
 * Deletes nodes whose pods fit elsewhere, and replaces nodes by others that cost less.
 *
 * Karpenter has two methods, multi-node and single-node consolidation, each with a timeout, and starts one
 * command per loop. Here one search without a time limit covers both and finds every command that can run
 * side by side (ADR 0025). Commands wait for the validation delay in `WaitingCommands` instead of blocking
 * the loop (ADR 0031).
 */
export class ConsolidationMethod implements Method {
  readonly reason = disruptionReasons.underutilized;
  readonly consolidationType = consolidationTypes.single;
  readonly disruptionClass = 'graceful';
  readonly #context: MethodContext;
  readonly #lastSearch = new SearchCache();

  constructor(context: MethodContext) {
    this.#context = context;
    for (const consolidation_type of [consolidationTypes.multi, consolidationTypes.single]) {
      // The search has no timeout. Karpenter creates this counter at zero, so it exists here too.
      context.meters.increment(disruptionMetrics.consolidationTimeouts, { consolidation_type }, 0);
      countFailedValidations(context, consolidation_type, 0);
    }
  }

  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    await this.#startDue(pass, signal);
    if (!pass.searches) return;
    const { waiting } = this.#context;
    const decided = await measureEvaluation(this.#context, this, () => this.#decide(pass, signal));
    if (decided !== undefined) waiting.keep(this.reason, decided);
  }

  /** Validates and starts the commands whose delay is over; the rest keeps waiting. */
  async #startDue(pass: Pass, signal: AbortSignal): Promise<void> {
    const { waiting } = this.#context;
    const inputs = pass.validation(this.reason);
    const isOpen = (candidate: Candidate) => this.#gate(candidate, pass.snapshot.at).isOpen;
    const before = waiting.of(this.reason);
    const due = sortWaiting(before, inputs, isOpen, pass.ledger(inputs.budgets));
    // Before the validation: if that throws or is aborted, the due commands are dropped and must be found
    // again.
    waiting.keep(this.reason, due.waiting);
    for (const each of due.rejected) this.#reject(each);
    if (due.ready.length === 0) return;
    const { valid, rejected } = await this.#validate(due.ready, pass, signal);
    const postponed = postponedUntilPodsBind({ before, rejected, snapshot: pass.snapshot });
    waiting.keep(this.reason, [...due.waiting, ...postponed]);
    for (const each of rejected)
      if (!postponed.some(({ command }) => isSameMove(command, each.command))) this.#reject(each);
    const moving = valid.flatMap(({ candidates }) =>
      candidates.flatMap(({ reschedulable }) => reschedulable),
    );
    const uids = moving.map(({ pod }) => pod.metadata.uid);
    // Before the start, in which pods may end already: one that ends unrecorded does not count as moved.
    this.#context.podMoves.begin(uids, pass.snapshot.at);
    await pass.start(valid, signal);
  }

  /** Karpenter's gate, and no node with a pod that has reached its limit of moves per hour (ADR 0060). */
  #gate(candidate: Candidate, at: number): GateVerdict {
    const verdict = consolidationGate(candidate);
    const pod = verdict.isOpen ? this.#context.podMoves.podAtMoveLimit(candidate, at) : undefined;
    if (pod === undefined) return verdict;
    return { isOpen: false, message: `Pod ${pod} has moved too often within the last hour` };
  }

  /** The commands that wait from now on; undefined if they stay the same. */
  async #decide(pass: Pass, signal: AbortSignal): Promise<readonly WaitingCommand[] | undefined> {
    const { at } = pass.snapshot;
    const input = await prepareInput(this.#context, pass, this, signal);
    if (input === undefined) return undefined;
    const gating = gateSteps(input.candidates, (candidate) => this.#gate(candidate, at));
    const gated = await runStepsUntilAborted(gating, { ...this.#context, signal });
    if (gated === undefined) return undefined;
    const { eligible, unconsolidatable } = gated;
    reportEligible(this.#context, this.reason, eligible);
    await publishUnconsolidatable(this.#context, unconsolidatable);
    await yieldToEventLoop();
    // Pods of commands that have started are on their way to these nodes. The destinations of waiting
    // commands are still candidates: a later simulation may place those pods elsewhere.
    const receiving = new Set(
      pass.started.flatMap(({ destinations }) => destinations.map(({ node }) => node)),
    );
    const candidates = eligible.filter(({ name }) => !receiving.has(name));
    const ledger = pass.ledgerAhead(input.budgets, this.reason);
    const hasBudget = candidates.some(({ nodePool }) => ledger.left(nodePool.metadata.name) > 0);
    if (!hasBudget || this.#lastSearch.isFresh(input, candidates)) return undefined;
    const limits = { ledger, decided: pass.decidedBefore(this.reason) };
    await yieldToEventLoop();
    const search = await this.#searchOrLog({ ...input, candidates }, limits, signal);
    if (search === undefined) return undefined;
    // Not before the search: one that failed or was aborted must be repeated although nothing has changed.
    this.#lastSearch.record(input, candidates);
    const before = this.#context.waiting.of(this.reason);
    await this.#report(search, before);
    const found = search.commands.map(({ command }) => command);
    // While nodes start, often replacements of an earlier command, a search finds too little: no moved pod may depend
    // on them. Then it drops no waiting command (ADR 0031).
    const searched = pass.snapshot.nodes.some(isStarting) ? [] : candidates;
    const { waiting, dropped } = mergeWaiting({ before, found, searched, at });
    for (const command of dropped) this.#reportRejected({ command, reason: rejectionReasons.scheduling });
    return waiting;
  }

  /** A failed search is logged and finds no command; the next pass searches again. */
  async #searchOrLog(
    input: MethodInput,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<ConsolidationSearch | undefined> {
    try {
      return await this.#search(input, limits, signal);
    } catch (error) {
      this.#context.log.error('failed computing consolidation', {
        error: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }

  async #search(
    input: MethodInput,
    { ledger, decided }: Limits,
    signal: AbortSignal,
  ): Promise<ConsolidationSearch | undefined> {
    const { snapshot, candidates } = input;
    // The simulation fills candidates in reverse order, so the best candidates to remove receive pods last.
    const leaving = [...candidates].sort(bySavingsRatio);
    const steps = consolidate({
      candidates,
      ledger,
      simulate: () => simulationSteps(this.#context, snapshot, leaving, decided),
      decision: this.#decision(snapshot),
      totals: poolTotals(snapshot, new CandidateEvaluator(input)),
      hasJustMoved: (candidate) => this.#context.podMoves.hasJustMoved(candidate, snapshot.at),
    });
    return runStepsUntilAborted(steps, { ...this.#context, signal });
  }

  #decision({ instanceTypes }: ClusterSnapshot): DecisionContext {
    return {
      prices: new PriceBook(instanceTypes, planOptions(this.#context, 'fallback')),
      allowsSpotToSpot: this.#context.settings.featureGates.SpotToSpotConsolidation,
    };
  }

  /** As in Karpenter, events and scores of approved moves are published before the validation. */
  async #report(
    { commands, unconsolidatable, refused, eligible, evaluated }: ConsolidationSearch,
    before: readonly WaitingCommand[],
  ): Promise<void> {
    const { meters } = this.#context;
    await publishUnconsolidatable(this.#context, unconsolidatable);
    for (const weighed of commands) {
      // Each search finds waiting commands again; they were reported when they were found first.
      if (before.some(({ command }) => isSameMove(command, weighed.command))) continue;
      this.#count(weighed.scores, 'approved');
      publishApproved(this.#context, weighed);
      publishCandidates(this.#context, weighed.command);
    }
    this.#count(refused, 'rejected');
    const coverage = eligible.length === 0 ? 1 : evaluated / eligible.length;
    meters.set(disruptionMetrics.evaluationCoverage, {}, coverage);
  }

  /** Counts moves of every policy; only moves of NodePools with policy Balanced have a score to observe. */
  #count(scores: readonly MoveScore[], decision: 'approved' | 'rejected'): void {
    const { meters, log } = this.#context;
    for (const { nodePool: nodepool, policy, score } of scores) {
      const labels = { decision, nodepool, policy: metricLabelValue(policy) };
      meters.increment(disruptionMetrics.consolidationMoves, labels);
      if (score === undefined) continue;
      meters.observe(disruptionMetrics.consolidationScore, labels, score);
      log.debug('consolidation score', { decision, NodePool: { name: nodepool }, score });
    }
  }

  /**
   * Simulates due commands again on the current snapshot, one after the other and then all deletions
   * together: the kube-scheduler moves the pods of all commands at once and in its own order.
   */
  async #validate(commands: readonly Command[], pass: Pass, signal: AbortSignal): Promise<CommandValidation> {
    const validation = await this.#rejectOnError(
      commands,
      runStepsUntilAborted(this.#validationSteps(commands, pass), { ...this.#context, signal }),
    );
    if (validation === undefined) return { valid: [], rejected: [] };
    const { valid, rejected } = this.#recheck(validation.valid);
    return { valid, rejected: [...validation.rejected, ...rejected] };
  }

  /**
   * The simulation fills nodes in the same order as a search, the nodes of the commands last. In another order pods
   * would go to other nodes, and a command could fail every validation although nothing has changed.
   */
  *#validationSteps(commands: readonly Command[], pass: Pass): Steps<CommandValidation> {
    const { snapshot, started } = pass;
    const inputs = pass.validation(this.reason);
    const { candidates } = yield* candidateSteps(inputs, this.disruptionClass);
    const due = commands.flatMap((command) => command.candidates);
    const ids = new Set(due.map(({ id }) => id));
    const others = candidates.filter(({ id }) => !ids.has(id)).sort(bySavingsRatio);
    return yield* validateConsolidations(commands, {
      ...inputs,
      simulate: () => simulationSteps(this.#context, snapshot, [...due, ...others], started),
      decision: this.#decision(snapshot),
    });
  }

  /**
   * When the validation itself fails, all its commands are rejected with reason `unknown` and the error is
   * thrown.
   */
  async #rejectOnError<T>(commands: readonly Command[], validation: Promise<T>): Promise<T> {
    try {
      return await validation;
    } catch (error) {
      for (const command of commands) this.#reject({ command, reason: rejectionReasons.unknown });
      throw error;
    }
  }

  /**
   * Checks candidates and budgets once more on a new snapshot, as Karpenter does after its simulation: the
   * simulation yields to the event loop, so watches may have changed the cluster since the pass took its
   * snapshot.
   */
  #recheck(commands: readonly Command[]) {
    const { cluster } = this.#context;
    const snapshot = cluster.snapshot();
    const inputs = new Pass(this.#context, snapshot).validation(this.reason);
    const isOpen = (candidate: Candidate) => this.#gate(candidate, snapshot.at).isOpen;
    const ledger = new BudgetLedger(inputs.budgets);
    const valid: Command[] = [];
    const rejected: RejectedCommand[] = [];
    for (const command of commands) {
      const reason = recheck(command, inputs, isOpen, ledger);
      if (reason === undefined) {
        ledger.take(poolsOf(command));
        valid.push(command);
      } else rejected.push({ command, reason });
    }
    return { valid, rejected };
  }

  #reject(rejected: RejectedCommand): void {
    // As in Karpenter, the next pass searches again after a failed validation, even if nothing has changed.
    this.#lastSearch.clear();
    this.#reportRejected(rejected);
  }

  /** Counts every candidate of the command, as Karpenter's failed_validations_total does. */
  #reportRejected(rejected: RejectedCommand): void {
    const { candidates, consolidationType } = rejected.command;
    countFailedValidations(this.#context, consolidationType, candidates.length);
    publishRejected(this.#context, rejected);
    recordRejected(this.#context, rejected);
  }
}
