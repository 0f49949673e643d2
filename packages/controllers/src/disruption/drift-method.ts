import { consolidationTypes, disruptionReasons } from '@karpenter/core/api';
import {
  type Command,
  driftedCandidates,
  PriceBook,
  replaceDrifted,
  replaceStatic,
} from '@karpenter/core/disruption';
import { planOptions } from '../planning/index.ts';
import { publishUnschedulable } from './disruption-events.ts';
import {
  beginRound,
  type Method,
  type MethodContext,
  reportEligible,
  simulationSteps,
  timed,
} from './method.ts';
import type { Pass } from './pass.ts';
import { slicedSteps } from './sliced-steps.ts';

/** Replaces nodes that no longer are what they should be, whatever they cost, and without waiting. */
export class DriftMethod implements Method {
  readonly reason = disruptionReasons.drifted;
  readonly consolidationType = consolidationTypes.drift;
  readonly disruptionClass = 'eventual';
  readonly #context: MethodContext;

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    await pass.start(await timed(this.#context, this, () => this.#decide(pass, signal)), signal);
  }

  async #decide(pass: Pass, signal: AbortSignal): Promise<readonly Command[]> {
    const { snapshot } = pass;
    const round = await beginRound(this.#context, pass, this, signal);
    if (round === undefined) return [];
    const candidates = driftedCandidates(round.candidates, { isStatic: false });
    reportEligible(this.#context, this.reason, candidates.length);
    const ledger = pass.ledger(round.budgets);
    if (!candidates.some(({ nodePool }) => ledger.left(nodePool.metadata.name) > 0)) return [];
    const simulation = await slicedSteps(simulationSteps(this.#context, snapshot, candidates, pass.decided), {
      ...this.#context,
      signal,
    });
    if (simulation === undefined) return [];
    const prices = new PriceBook(snapshot.instanceTypes, planOptions(this.#context, 'fallback'));
    const found = await slicedSteps(replaceDrifted(candidates, ledger, simulation, prices), {
      ...this.#context,
      signal,
    });
    if (found === undefined) return [];
    publishUnschedulable(this.#context, found.blocked);
    return found.commands;
  }
}

/** The same for nodes of static pools, which are replaced one for one. */
export class StaticDriftMethod implements Method {
  readonly reason = disruptionReasons.drifted;
  readonly consolidationType = consolidationTypes.drift;
  readonly disruptionClass = 'eventual';
  readonly #context: MethodContext;

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    const round = await beginRound(this.#context, pass, this, signal);
    if (round === undefined) return;
    const { snapshot, candidates, budgets } = round;
    const commands = replaceStatic({
      candidates: driftedCandidates(candidates, { isStatic: true }),
      ledger: pass.ledger(budgets),
      pools: snapshot.pools,
    });
    await pass.start(commands, signal);
  }
}
