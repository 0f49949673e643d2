import {
  consolidationTypes,
  disruptionMetrics,
  disruptionReasons,
  disruptionTuning,
  metricLabelValue,
} from '@karpenter/core/api';
import {
  BudgetLedger,
  bySavingsRatio,
  CandidateJudge,
  type Command,
  type ConsolidationSearch,
  consolidate,
  consolidationGate,
  type DecisionContext,
  gatedCandidates,
  type MoveScore,
  PriceBook,
  poolBudgets,
  poolTotals,
  type RejectedCommand,
  recheck,
  validateConsolidations,
} from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { planOptions } from '../planning/index.ts';
import { Memory } from './memory.ts';
import {
  beginRound,
  type Method,
  type MethodContext,
  type Round,
  reportEligible,
  simulationSteps,
  startAll,
  timed,
} from './method.ts';
import { slicedSteps } from './sliced-steps.ts';
import { tellApproved, tellCandidates, tellRejected, tellUnconsolidatable } from './told.ts';

/** Deletes nodes whose pods fit elsewhere, and replaces those that something cheaper can stand in for. */
export class ConsolidationMethod implements Method {
  readonly reason = disruptionReasons.underutilized;
  readonly consolidationType = consolidationTypes.single;
  readonly #context: MethodContext;
  readonly #memory = new Memory();

  constructor(context: MethodContext) {
    this.#context = context;
    for (const consolidation_type of [consolidationTypes.multi, consolidationTypes.single])
      context.meters.increment(disruptionMetrics.consolidationTimeouts, { consolidation_type }, 0);
  }

  async run(signal: AbortSignal): Promise<boolean> {
    const commands = await timed(this.#context, this, () => this.#decide(signal));
    if (commands.length === 0) return false;
    await this.#context.clock.sleep(disruptionTuning.validationDelay, signal);
    const snapshot = await this.#context.planning.snapshot();
    const valid = await this.#validated(commands, snapshot, signal);
    return startAll(this.#context, valid, snapshot);
  }

  async #decide(signal: AbortSignal): Promise<readonly Command[]> {
    const round = await beginRound(this.#context, this, 'graceful', signal);
    if (round === undefined) return [];
    const { eligible, told } = gatedCandidates(round.candidates);
    reportEligible(this.#context, this.reason, eligible.length);
    tellUnconsolidatable(this.#context, told);
    const ledger = new BudgetLedger(round.budgets);
    const isWorthLooking = eligible.some(({ nodePool }) => ledger.left(nodePool.metadata.name) > 0);
    if (!isWorthLooking || this.#memory.isFresh(round, eligible)) return [];
    const search = await this.#searched({ ...round, candidates: eligible }, ledger, signal);
    if (search === undefined) return [];
    this.#report(search);
    if (search.commands.length === 0) this.#memory.foundNothing(round, eligible);
    return search.commands.map(({ command }) => command);
  }

  /** What cannot be worked out is told in the log, and looked at again in the next round. */
  async #searched(
    round: Round,
    ledger: BudgetLedger,
    signal: AbortSignal,
  ): Promise<ConsolidationSearch | undefined> {
    try {
      return await this.#search(round, ledger, signal);
    } catch (error) {
      this.#context.log.error('failed computing consolidation', {
        error: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }

  async #search(
    round: Round,
    ledger: BudgetLedger,
    signal: AbortSignal,
  ): Promise<ConsolidationSearch | undefined> {
    const { snapshot, candidates } = round;
    const slices = { ...this.#context, signal };
    const leaving = [...candidates].sort(bySavingsRatio);
    const simulation = await slicedSteps(simulationSteps(this.#context, snapshot, leaving), slices);
    if (simulation === undefined) return undefined;
    const totals = poolTotals(snapshot, new CandidateJudge(round));
    const steps = consolidate({ candidates, ledger, simulation, decision: this.#decision(snapshot), totals });
    return slicedSteps(steps, slices);
  }

  #decision({ instanceTypes }: ClusterSnapshot): DecisionContext {
    return {
      prices: new PriceBook(instanceTypes, planOptions(this.#context, 'fallback')),
      allowsSpotToSpot: this.#context.settings.featureGates.SpotToSpotConsolidation,
    };
  }

  #report({ commands, told, refused, eligible, evaluated }: ConsolidationSearch): void {
    const { meters } = this.#context;
    tellUnconsolidatable(this.#context, told);
    for (const weighed of commands) {
      this.#count(weighed.scores, 'approved');
      tellApproved(this.#context, weighed);
      tellCandidates(this.#context, weighed.command);
    }
    this.#count(refused, 'rejected');
    const coverage = eligible.length === 0 ? 1 : evaluated / eligible.length;
    meters.set(disruptionMetrics.evaluationCoverage, {}, coverage);
  }

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

  async #validated(
    commands: readonly Command[],
    snapshot: ClusterSnapshot,
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    const leaving = commands.flatMap(({ candidates }) => candidates);
    const steps = validateConsolidations(commands, {
      ...this.#validation(snapshot),
      simulate: () => simulationSteps(this.#context, snapshot, leaving),
      decision: this.#decision(snapshot),
    });
    const found = await slicedSteps(steps, { ...this.#context, signal });
    if (found === undefined) return [];
    const { valid, rejected } = this.#recheckedNow(found.valid);
    for (const each of [...found.rejected, ...rejected]) this.#reject(each);
    return valid;
  }

  /** The cluster has gone on while commands were simulated. */
  #recheckedNow(commands: readonly Command[]) {
    const validation = this.#validation(this.#context.cluster.snapshot());
    const ledger = new BudgetLedger(validation.budgets);
    const valid: Command[] = [];
    const rejected: RejectedCommand[] = [];
    for (const command of commands) {
      const reason = recheck(command, validation, (candidate) => consolidationGate(candidate).isOpen, ledger);
      if (reason === undefined) {
        ledger.take(command.candidates.map(({ nodePool }) => nodePool.metadata.name));
        valid.push(command);
      } else rejected.push({ command, reason });
    }
    return { valid, rejected };
  }

  #validation(snapshot: ClusterSnapshot) {
    const context = { snapshot, queued: this.#context.queue.nodes };
    return { ...context, judge: new CandidateJudge(context), budgets: poolBudgets(snapshot, this.reason) };
  }

  #reject(rejected: RejectedCommand): void {
    const { candidates, consolidationType } = rejected.command;
    this.#context.meters.increment(
      disruptionMetrics.failedValidations,
      { consolidation_type: consolidationType },
      candidates.length,
    );
    tellRejected(this.#context, rejected);
  }
}
