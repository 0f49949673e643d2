import { planningKinds } from '@karpenter/controllers/planning';
import type { InstanceType } from '@karpenter/core/ports';
import {
  readSavedCluster,
  restoredFact,
  type SavedCluster,
  typesOfPools,
} from '@karpenter/core/saved-cluster';
import type { Json } from '@karpenter/core/schema';
import { cachesOfLists } from '@karpenter/kube/cache';
import { patternMatcher } from '@karpenter/kube/patterns';
import type { ListedCluster } from '../cluster/listed-cluster.ts';
import { planSettings } from '../cluster/plan-settings.ts';
import { type Origin, withOrigin } from '../input/origin.ts';
import type { Policies } from '../simulation.ts';
import { checkObjects } from './saved-objects.ts';
import { checkTypes } from './saved-types.ts';

const subject = 'the saved cluster';
const noTypes: readonly InstanceType[] = [];

/** The cluster of a saved file. It gives the same plan again, except where the command line sets other policies. */
export function savedCluster(value: Json, origin: Origin, policies: Policies): ListedCluster {
  const saved = withOrigin(origin, subject, () => readSavedCluster(value, patternMatcher));
  checkTypes(saved.instanceTypes, origin);
  checkObjects(saved.objects, origin);
  const caches = withOrigin(origin, subject, () => cachesOfLists(saved.objects, planningKinds));
  return listedCluster(saved, caches, policies);
}

/** A cluster without the price was saved by a version whose plans did not count what a node costs besides its instance. */
const unsavedOverheadPrice = 0;

function listedCluster(
  { at, planning, instanceTypes, facts }: SavedCluster,
  caches: ListedCluster['caches'],
  policies: Policies,
): ListedCluster {
  const { reservedCapacity, defaultSpread, nodeClasses, hasStorage, ...settings } = planning;
  const types = typesOfPools(instanceTypes);
  return {
    caches,
    at,
    settings: { ...planSettings({}), nodeOverheadPrice: unsavedOverheadPrice, ...settings, ...policies },
    reservedCapacity,
    defaultSpread,
    hasStorage,
    cloud: {
      nodeClasses: nodeClasses.map((kind) => ({ ...kind, version: '', plural: '' })),
      instanceTypes: async ({ metadata }) => types.get(metadata.name) ?? noTypes,
    },
    facts: facts.map(restoredFact),
  };
}
