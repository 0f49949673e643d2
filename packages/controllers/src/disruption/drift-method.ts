import { consolidationTypes, disruptionReasons } from '@karpenter/core/api';
import {
  type Command,
  driftedCandidates,
  PriceBook,
  replaceDrifted,
  replaceStatic,
} from '@karpenter/core/disruption';
import { runStepsUntilAborted } from '@karpenter/kube/yielding';
import { planOptions } from '../planning/index.ts';
import { publishUnschedulable } from './disruption-events.ts';
import {
  type Method,
  type MethodContext,
  measureEvaluation,
  prepareInput,
  reportEligible,
  simulationSteps,
} from './method.ts';
import type { Pass } from './pass.ts';

/**
 * Replaces nodes that no longer match their NodePool or NodeClass, whatever they cost. As in Karpenter, drift
 * commands start at once, without the 15 s delay and validation of consolidation.
 */
export class DriftMethod implements Method {
  readonly reason = disruptionReasons.drifted;
  readonly consolidationType = consolidationTypes.drift;
  readonly disruptionClass = 'eventual';
  readonly #context: MethodContext;

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    await pass.start(await measureEvaluation(this.#context, this, () => this.#decide(pass, signal)), signal);
  }

  async #decide(pass: Pass, signal: AbortSignal): Promise<readonly Command[]> {
    const { snapshot } = pass;
    const input = await prepareInput(this.#context, pass, this, signal);
    if (input === undefined) return [];
    const candidates = driftedCandidates(input.candidates, { isStatic: false });
    reportEligible(this.#context, this.reason, candidates);
    // Not `ledgerAhead`: drift commands start at once, so budgets must have room for them now.
    const ledger = pass.ledger(input.budgets);
    // A simulation compiles the whole cluster; skip it while no candidate has any budget left.
    if (!candidates.some(({ nodePool }) => ledger.left(nodePool.metadata.name) > 0)) return [];
    const run = { ...this.#context, signal };
    const building = simulationSteps(this.#context, snapshot, candidates, pass.decidedBefore(this.reason));
    const simulation = await runStepsUntilAborted(building, run);
    if (simulation === undefined) return [];
    const prices = new PriceBook(snapshot.instanceTypes, planOptions(this.#context, 'fallback'));
    const steps = replaceDrifted(candidates, ledger, simulation, prices);
    const found = await runStepsUntilAborted(steps, run);
    if (found === undefined) return [];
    publishUnschedulable(this.#context, found.blocked);
    return found.commands;
  }
}

/**
 * Replaces drifted nodes of static NodePools one for one, without simulation: their replicas do not depend on
 * pods.
 */
export class StaticDriftMethod implements Method {
  readonly reason = disruptionReasons.drifted;
  readonly consolidationType = consolidationTypes.drift;
  readonly disruptionClass = 'eventual';
  readonly #context: MethodContext;

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    const input = await prepareInput(this.#context, pass, this, signal);
    if (input === undefined) return;
    const { snapshot, candidates, budgets } = input;
    const commands = replaceStatic({
      candidates: driftedCandidates(candidates, { isStatic: true }),
      ledger: pass.ledger(budgets),
      pools: snapshot.pools,
    });
    await pass.start(commands, signal);
  }
}
