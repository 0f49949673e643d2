import { Cluster, nodePools } from '@karpenter/controllers/cluster';
import { ClusterPlanning } from '@karpenter/controllers/planning';
import { coreSettings, parseSettings } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { consolidationSearch, type FoundConsolidation, type SearchClock } from '../consolidation/index.ts';
import { awsVocabulary } from '../label-vocabulary.ts';

/** What consolidation would do if no budget limited it, in numbers. */
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
  readonly clock: SearchClock;
}

/** The sum of all commands that consolidation would come to. Undefined if the search takes more than a minute. */
export async function consolidationSavings(inputs: SavingsInputs): Promise<ConsolidationSavings | undefined> {
  const found = consolidationSearch(await searchedCluster(inputs), inputs.clock);
  return found && savingsOf(found);
}

async function searchedCluster({ caches, instanceTypes, clock }: SavingsInputs) {
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

function savingsOf({ commands, candidates }: FoundConsolidation): ConsolidationSavings {
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
