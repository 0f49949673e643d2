import { type ClusterPlanning, planOptions, simulationInput } from '@karpenter/controllers/planning';
import { type CoreSettings, disruptionReasons } from '@karpenter/core/api';
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
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { Steps } from '@karpenter/core/yielding';
import { runStepsWithin } from '@karpenter/kube/yielding';
import { awsVocabulary } from '../label-vocabulary.ts';

/** What consolidation would do if no budget limited it. */
export interface FoundConsolidation {
  readonly commands: readonly Command[];
  /** Number of nodes that may be disrupted at all. */
  readonly candidates: number;
}

/** A cluster at one instant and how plans of it are made. */
export interface SearchedCluster {
  readonly planning: ClusterPlanning;
  readonly snapshot: ClusterSnapshot;
  readonly settings: CoreSettings;
}

export interface SearchClock {
  readonly now: () => number;
  readonly monotonic: () => number;
}

/** Longer than the search takes on a thousand nodes; somebody waits for the answer. */
const maxSearchMs = 60_000;

/**
 * Runs the search of the controllers once on the cluster as it is, with budgets lifted: all commands that Karpenter
 * would come to, one after the other. Undefined if the search takes more than a minute.
 */
export function consolidationSearch(
  cluster: SearchedCluster,
  clock: SearchClock,
): Promise<FoundConsolidation | undefined> {
  return runStepsWithin(maxSearchMs, new Search(cluster, clock).steps(), clock);
}

class Search {
  readonly #cluster: SearchedCluster;
  readonly #clock: SearchClock;

  constructor(cluster: SearchedCluster, clock: SearchClock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  *steps(): Steps<FoundConsolidation> {
    const { snapshot } = this.#cluster;
    const context = { snapshot, queued: new Set<string>() };
    const { candidates } = yield* candidateSteps(context, 'graceful');
    const empty = deleteEmpty(candidates, this.#ledger(disruptionReasons.empty)).command;
    const { eligible } = gatedCandidates(candidates);
    const leaving = eligible.toSorted(bySavingsRatio);
    const { commands } = yield* consolidate({
      candidates: eligible,
      ledger: this.#ledger(disruptionReasons.underutilized),
      simulate: () => this.#simulation(leaving, empty),
      decision: {
        prices: new PriceBook(snapshot.instanceTypes, planOptions(this.#context(), 'fallback')),
        allowsSpotToSpot: this.#cluster.settings.featureGates.SpotToSpotConsolidation,
      },
      totals: poolTotals(snapshot, new CandidateEvaluator(context)),
    });
    const found = [...(empty === undefined ? [] : [empty]), ...commands.map(({ command }) => command)];
    return { commands: found, candidates: candidates.length };
  }

  *#simulation(leaving: readonly Candidate[], empty: Command | undefined): Steps<ClusterSimulation> {
    const { snapshot } = this.#cluster;
    const simulation = yield* ClusterSimulation.of(...simulationInput(this.#context(), snapshot, leaving));
    yield* anticipate(empty === undefined ? [] : [empty], simulation);
    return simulation;
  }

  #context() {
    const { planning, settings } = this.#cluster;
    return { planning, settings, vocabulary: awsVocabulary, clock: this.#clock };
  }

  /** Budgets slow consolidation down and do not change what it saves in the end. */
  #ledger(reason: (typeof disruptionReasons)[keyof typeof disruptionReasons]): BudgetLedger {
    const budgets = [...poolBudgets(this.#cluster.snapshot, reason)].map(
      ([name, budget]) =>
        [
          name,
          { ...budget, allowed: unlimitedDisruptions, remaining: unlimitedDisruptions, consuming: 0 },
        ] as const,
    );
    return new BudgetLedger(new Map(budgets));
  }
}
