import { Cluster, nodePools } from '@karpenter/controllers/cluster';
import { ClusterPlanning, planOptions } from '@karpenter/controllers/planning';
import { type CoreSettings, coreSettings, disruptionReasons, parseSettings } from '@karpenter/core/api';
import {
  anticipate,
  BudgetLedger,
  bySavingsRatio,
  type Candidate,
  CandidateEvaluator,
  ClusterSimulation,
  type Command,
  candidateSteps,
  consolidate,
  deleteEmpty,
  gatedCandidates,
  PriceBook,
  poolBudgets,
  poolTotals,
  unlimitedDisruptions,
} from '@karpenter/core/disruption';
import type { InstanceType } from '@karpenter/core/ports';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { Steps } from '@karpenter/core/yielding';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { awsVocabulary } from '../label-vocabulary.ts';

/** What consolidation would do if no budget limited it. */
export interface ConsolidationSavings {
  /** Dollars per hour, at catalogue prices. */
  readonly hourly: number;
  readonly deleted: number;
  readonly replaced: number;
  /** Nodes that may be disrupted at all. */
  readonly candidates: number;
}

export interface SavingsInputs {
  readonly caches: ObjectCaches;
  readonly instanceTypes: readonly InstanceType[];
  readonly clock: { readonly now: () => number; readonly monotonic: () => number };
}

/** Longer than the search takes on a thousand nodes; somebody waits for the answer. */
const longestSearchMs = 60_000;

/**
 * Runs the search of the controllers once on the cluster as it is, with budgets lifted: the sum of all commands
 * that Karpenter would come to, one after the other. Undefined if the search takes more than a minute.
 */
export async function consolidationSavings(inputs: SavingsInputs): Promise<ConsolidationSavings | undefined> {
  const { clock } = inputs;
  const search = new Search(await planningOf(inputs), clock);
  const deadline = clock.monotonic() + longestSearchMs;
  const steps = search.steps();
  for (;;) {
    const { done, value } = steps.next(undefined);
    if (done) return value;
    if (clock.monotonic() > deadline) return undefined;
  }
}

interface Planned {
  readonly planning: ClusterPlanning;
  readonly snapshot: ClusterSnapshot;
  readonly settings: CoreSettings;
}

async function planningOf({ caches, instanceTypes, clock }: SavingsInputs): Promise<Planned> {
  const cluster = new Cluster({ caches, clock });
  await cluster.follow();
  const { settings } = parseSettings(coreSettings, ['--feature-gates=NodeOverlay=true'], {});
  const nodeClasses = caches
    .of(nodePools)
    .list()
    .map(({ spec }) => ({ ...spec.template.spec.nodeClassRef, version: '', plural: '' }));
  const planning = new ClusterPlanning({
    caches,
    cluster,
    cloud: { nodeClasses, instanceTypes: async () => instanceTypes },
    settings,
    vocabulary: awsVocabulary,
    defaultSpread: [],
  });
  return { planning, snapshot: (await planning.refresh()).snapshot, settings };
}

class Search {
  readonly #planned: Planned;
  readonly #clock: SavingsInputs['clock'];

  constructor(planned: Planned, clock: SavingsInputs['clock']) {
    this.#planned = planned;
    this.#clock = clock;
  }

  *steps(): Steps<ConsolidationSavings> {
    const { snapshot } = this.#planned;
    const context = { snapshot, queued: new Set<string>() };
    const { candidates } = yield* candidateSteps(context, 'graceful');
    const empty = deleteEmpty(candidates, this.#ledger(disruptionReasons.empty)).command;
    const { eligible } = gatedCandidates(candidates);
    const simulation = yield* this.#simulation(eligible);
    yield* anticipate(empty === undefined ? [] : [empty], simulation);
    const { commands } = yield* consolidate({
      candidates: eligible,
      ledger: this.#ledger(disruptionReasons.underutilized),
      simulation,
      decision: {
        prices: new PriceBook(snapshot.instanceTypes, this.#options()),
        allowsSpotToSpot: this.#planned.settings.featureGates.SpotToSpotConsolidation,
      },
      totals: poolTotals(snapshot, new CandidateEvaluator(context)),
    });
    const found = [...(empty === undefined ? [] : [empty]), ...commands.map(({ command }) => command)];
    return savingsOf(found, candidates.length);
  }

  *#simulation(leaving: readonly Candidate[]): Steps<ClusterSimulation> {
    const { planning, snapshot } = this.#planned;
    return yield* ClusterSimulation.of(snapshot, {
      plan: this.#options(),
      waiting: planning.input(snapshot).snapshot.pods,
      filledLast: leaving
        .toSorted(bySavingsRatio)
        .toReversed()
        .map(({ name }) => name),
    });
  }

  #options() {
    return planOptions(
      { settings: this.#planned.settings, vocabulary: awsVocabulary, clock: this.#clock },
      'fallback',
    );
  }

  /** Budgets slow consolidation down and do not change what it saves in the end. */
  #ledger(reason: (typeof disruptionReasons)[keyof typeof disruptionReasons]): BudgetLedger {
    const budgets = [...poolBudgets(this.#planned.snapshot, reason)].map(
      ([name, budget]) =>
        [
          name,
          { ...budget, allowed: unlimitedDisruptions, remaining: unlimitedDisruptions, consuming: 0 },
        ] as const,
    );
    return new BudgetLedger(new Map(budgets));
  }
}

function savingsOf(commands: readonly Command[], candidates: number): ConsolidationSavings {
  const nodesOf = (isReplacing: boolean) =>
    commands
      .filter(({ replacements }) => replacements.length > 0 === isReplacing)
      .reduce((sum, command) => sum + command.candidates.length, 0);
  return {
    hourly: commands.reduce((sum, { savings }) => sum + savings, 0),
    deleted: nodesOf(false),
    replaced: nodesOf(true),
    candidates,
  };
}
