import { consolidationTypes, disruptionReasons } from '@karpenter/core/api';
import {
  BudgetLedger,
  driftedCandidates,
  PriceBook,
  replaceDrifted,
  replaceStatic,
} from '@karpenter/core/disruption';
import { planOptions } from '../planning/index.ts';
import {
  beginRound,
  type Method,
  type MethodContext,
  reportEligible,
  simulationSteps,
  startAll,
  timed,
} from './method.ts';
import { slicedSteps } from './sliced-steps.ts';
import { tellUnmovable } from './told.ts';

/** Replaces nodes that no longer are what they should be, whatever they cost, and without waiting. */
export class DriftMethod implements Method {
  readonly reason = disruptionReasons.drifted;
  readonly consolidationType = consolidationTypes.drift;
  readonly #context: MethodContext;

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(signal: AbortSignal): Promise<boolean> {
    const found = await timed(this.#context, this, () => this.#decide(signal));
    return found === undefined ? false : startAll(this.#context, found.commands, found.snapshot);
  }

  async #decide(signal: AbortSignal) {
    const round = await beginRound(this.#context, this, 'eventual', signal);
    if (round === undefined) return undefined;
    const { snapshot } = round;
    const candidates = driftedCandidates(round.candidates, { isStatic: false });
    reportEligible(this.#context, this.reason, candidates.length);
    const ledger = new BudgetLedger(round.budgets);
    if (!candidates.some(({ nodePool }) => ledger.left(nodePool.metadata.name) > 0)) return undefined;
    const simulation = await slicedSteps(simulationSteps(this.#context, snapshot, candidates), {
      ...this.#context,
      signal,
    });
    if (simulation === undefined) return undefined;
    const prices = new PriceBook(snapshot.instanceTypes, planOptions(this.#context, 'fallback'));
    const found = await slicedSteps(replaceDrifted(candidates, ledger, simulation, prices), {
      ...this.#context,
      signal,
    });
    if (found === undefined) return undefined;
    tellUnmovable(this.#context, found.blocked);
    return { commands: found.commands, snapshot };
  }
}

/** The same for nodes of static pools, which are replaced one for one. */
export class StaticDriftMethod implements Method {
  readonly reason = disruptionReasons.drifted;
  readonly consolidationType = consolidationTypes.drift;
  readonly #context: MethodContext;

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(signal: AbortSignal): Promise<boolean> {
    const round = await beginRound(this.#context, this, 'eventual', signal);
    if (round === undefined) return false;
    const { snapshot, candidates, budgets } = round;
    const commands = replaceStatic({
      candidates: driftedCandidates(candidates, { isStatic: true }),
      ledger: new BudgetLedger(budgets),
      pools: snapshot.pools,
    });
    return startAll(this.#context, commands, snapshot);
  }
}
