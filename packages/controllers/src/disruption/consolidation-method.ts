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
  CandidateJudge,
  type Command,
  type ConsolidationSearch,
  consolidate,
  consolidationGate,
  type DecisionContext,
  gatedCandidates,
  type MoveScore,
  PriceBook,
  poolsOf,
  poolTotals,
  type RejectedCommand,
  recheck,
  sortWaiting,
  validateConsolidations,
} from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { planOptions } from '../planning/index.ts';
import {
  publishApproved,
  publishCandidates,
  publishRejected,
  publishUnconsolidatable,
} from './disruption-events.ts';
import {
  beginRound,
  type Method,
  type MethodContext,
  type Round,
  reportEligible,
  simulationSteps,
  timed,
} from './method.ts';
import { Memory } from './no-command-cache.ts';
import { Pass } from './pass.ts';
import { slicedSteps } from './sliced-steps.ts';

/** What a search has to keep to. */
interface Limits {
  readonly ledger: BudgetLedger;
  readonly decided: readonly Command[];
}

const isConsolidated = (candidate: Candidate) => consolidationGate(candidate).isOpen;

/** Deletes nodes whose pods fit elsewhere, and replaces those that something cheaper can stand in for. */
export class ConsolidationMethod implements Method {
  readonly reason = disruptionReasons.underutilized;
  readonly consolidationType = consolidationTypes.single;
  readonly disruptionClass = 'graceful';
  readonly #context: MethodContext;
  readonly #memory = new Memory();

  constructor(context: MethodContext) {
    this.#context = context;
    for (const consolidation_type of [consolidationTypes.multi, consolidationTypes.single])
      context.meters.increment(disruptionMetrics.consolidationTimeouts, { consolidation_type }, 0);
  }

  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    await this.#startDue(pass, signal);
    const commands = await timed(this.#context, this, () => this.#decide(pass, signal));
    this.#context.waiting.add(commands, pass.snapshot.at);
  }

  async #startDue(pass: Pass, signal: AbortSignal): Promise<void> {
    const { waiting } = this.#context;
    const inputs = pass.validation(this.reason);
    const due = sortWaiting(waiting.of(this.reason), inputs, isConsolidated, pass.ledger(inputs.budgets));
    waiting.keep(this.reason, due.waiting);
    for (const each of due.rejected) this.#reject(each);
    if (due.ready.length > 0) await pass.start(await this.#validated(due.ready, pass, signal), signal);
  }

  async #decide(pass: Pass, signal: AbortSignal): Promise<readonly Command[]> {
    const round = await beginRound(this.#context, pass, this, signal);
    if (round === undefined) return [];
    const { eligible, told } = gatedCandidates(round.candidates);
    reportEligible(this.#context, this.reason, eligible.length);
    publishUnconsolidatable(this.#context, told);
    // Pods are on their way there; where commands still wait, their pods may go elsewhere.
    const receiving = new Set(
      pass.started.flatMap(({ destinations }) => destinations.map(({ node }) => node)),
    );
    const candidates = eligible.filter(({ name }) => !receiving.has(name));
    const ledger = pass.ledgerAhead(round.budgets);
    const isWorthLooking = candidates.some(({ nodePool }) => ledger.left(nodePool.metadata.name) > 0);
    if (!isWorthLooking || this.#memory.isFresh(round, candidates)) return [];
    const limits = { ledger, decided: pass.decided };
    const search = await this.#searched({ ...round, candidates }, limits, signal);
    if (search === undefined) return [];
    this.#report(search);
    if (search.commands.length === 0) this.#memory.foundNothing(round, candidates);
    return search.commands.map(({ command }) => command);
  }

  /** What cannot be worked out is told in the log, and looked at again in the next round. */
  async #searched(
    round: Round,
    limits: Limits,
    signal: AbortSignal,
  ): Promise<ConsolidationSearch | undefined> {
    try {
      return await this.#search(round, limits, signal);
    } catch (error) {
      this.#context.log.error('failed computing consolidation', {
        error: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }

  async #search(
    round: Round,
    { ledger, decided }: Limits,
    signal: AbortSignal,
  ): Promise<ConsolidationSearch | undefined> {
    const { snapshot, candidates } = round;
    const slices = { ...this.#context, signal };
    const leaving = [...candidates].sort(bySavingsRatio);
    const simulation = await slicedSteps(simulationSteps(this.#context, snapshot, leaving, decided), slices);
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
    publishUnconsolidatable(this.#context, told);
    for (const weighed of commands) {
      this.#count(weighed.scores, 'approved');
      publishApproved(this.#context, weighed);
      publishCandidates(this.#context, weighed.command);
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
    pass: Pass,
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    const { snapshot, started } = pass;
    const leaving = commands.flatMap(({ candidates }) => candidates);
    const steps = validateConsolidations(commands, {
      ...pass.validation(this.reason),
      simulate: () => simulationSteps(this.#context, snapshot, leaving, started),
      decision: this.#decision(snapshot),
    });
    const found = await this.#orRejected(commands, slicedSteps(steps, { ...this.#context, signal }));
    if (found === undefined) return [];
    const { valid, rejected } = this.#recheckedNow(found.valid);
    for (const each of [...found.rejected, ...rejected]) this.#reject(each);
    return valid;
  }

  /** Commands that cannot be looked at again are called off, and nobody can say whether they were right. */
  async #orRejected<T>(commands: readonly Command[], looked: Promise<T>): Promise<T> {
    try {
      return await looked;
    } catch (error) {
      for (const command of commands) this.#reject({ command, reason: rejectionReasons.unknown });
      throw error;
    }
  }

  /** The cluster has gone on while commands were simulated. */
  #recheckedNow(commands: readonly Command[]) {
    const { cluster } = this.#context;
    const inputs = new Pass(this.#context, cluster.snapshot()).validation(this.reason);
    const ledger = new BudgetLedger(inputs.budgets);
    const valid: Command[] = [];
    const rejected: RejectedCommand[] = [];
    for (const command of commands) {
      const reason = recheck(command, inputs, isConsolidated, ledger);
      if (reason === undefined) {
        ledger.take(poolsOf(command));
        valid.push(command);
      } else rejected.push({ command, reason });
    }
    return { valid, rejected };
  }

  #reject(rejected: RejectedCommand): void {
    const { candidates, consolidationType } = rejected.command;
    this.#context.meters.increment(
      disruptionMetrics.failedValidations,
      { consolidation_type: consolidationType },
      candidates.length,
    );
    publishRejected(this.#context, rejected);
  }
}
