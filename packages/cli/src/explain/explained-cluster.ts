import { planningKinds, planOptions } from '@karpenter/controllers/planning';
import type { NodePool } from '@karpenter/core/api';
import type { ExplainedCluster } from '@karpenter/core/explanation';
import type { InstanceType } from '@karpenter/core/ports';
import { cachesOfLists, type KindList, savedLists } from '@karpenter/kube/cache';
import { awsVocabulary } from '../label-vocabulary.ts';
import { namedClasses, plannableCluster, planSettings } from '../simulate/index.ts';

/** The objects of a cluster, and the instance types of its NodePools. */
export interface ExplainedObjects {
  readonly lists: readonly KindList[];
  readonly instanceTypes: (pool: NodePool) => readonly InstanceType[];
  /** The instant of the lists, in milliseconds since 1970. */
  readonly at: number;
}

/** The cluster as the controllers see it, by the way that `simulate` takes. */
export async function explainedCluster(
  { lists, instanceTypes, at }: ExplainedObjects,
  clock: { readonly now: () => number },
): Promise<ExplainedCluster> {
  const caches = cachesOfLists(savedLists(lists), planningKinds);
  const settings = planSettings({});
  const { planning, state, options } = await plannableCluster(
    {
      caches,
      at,
      settings,
      reservedCapacity: 'strict',
      defaultSpread: [],
      hasStorage: true,
      cloud: { nodeClasses: namedClasses(caches), instanceTypes: async (pool) => instanceTypes(pool) },
      facts: [],
    },
    clock,
  );
  return {
    cluster: state,
    environment: planning.environment(),
    options,
    disruption: {
      options: planOptions({ settings, vocabulary: awsVocabulary, clock }, 'fallback'),
      allowsSpotToSpot: settings.featureGates.SpotToSpotConsolidation,
    },
  };
}
