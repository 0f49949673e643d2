import { nodePools } from '@karpenter/controllers/cluster';
import type { InstanceType, NodeClassKind } from '@karpenter/core/ports';
import { ListedCaches, type ObjectCaches } from '@karpenter/kube/cache';
import type { StoredObjects } from '../objects/stored-objects.ts';
import type { Choices, SimulationPorts } from '../simulation.ts';
import type { ListedCluster } from './listed-cluster.ts';
import { planSettings } from './plan-settings.ts';

/** What manifests say about a cluster. */
export interface DescribedCluster extends Pick<StoredObjects, 'lists' | 'hasStorage'> {
  readonly types: readonly InstanceType[];
}

/** The cluster that manifests describe: now, with the instance types of the catalogue for every NodePool. */
export function manifestCluster(
  { lists, hasStorage, types }: DescribedCluster,
  { policies, defaultConstraints }: Choices,
  { clock }: Pick<SimulationPorts, 'clock'>,
): ListedCluster {
  const caches = new ListedCaches(lists);
  return {
    caches,
    at: clock.now(),
    settings: planSettings(policies),
    reservedCapacity: 'strict',
    defaultSpread: defaultConstraints,
    hasStorage,
    cloud: { nodeClasses: namedClasses(caches), instanceTypes: async () => types },
    facts: [],
  };
}

/**
 * Declares every NodeClass that a NodePool refers to as known. The controllers skip NodePools whose NodeClass belongs
 * to another provider; manifests often have no NodeClasses, and all their NodePools are planned with.
 */
export function namedClasses(caches: ObjectCaches): readonly NodeClassKind[] {
  const references = caches
    .of(nodePools)
    .list()
    .map(({ spec }) => spec.template.spec.nodeClassRef);
  const kinds = new Map(references.map(({ group, kind }) => [`${group}/${kind}`, { group, kind }]));
  return [...kinds.values()].map((kind) => ({ ...kind, version: '', plural: '' }));
}
