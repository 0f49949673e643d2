import type { InstanceType } from '@karpenter/core/ports';
import {
  type CapturedCluster,
  type PlanningSettings,
  type SavedList,
  savedFact,
  savedInstanceTypes,
} from '@karpenter/core/saved-cluster';
import type { ClusterSnapshot, StateContents } from '@karpenter/core/state';
import { type KindList, savedLists } from '@karpenter/kube/cache';
import { stateSources } from '../cluster/index.ts';
import type { PlanningContext } from './cluster-planning.ts';
import { companionKinds } from './planning-kinds.ts';

export interface CaptureOptions {
  /** As in the options of the plan: `strict` for provisioning, `fallback` for disruption. */
  readonly reservedCapacity: PlanningSettings['reservedCapacity'];
}

interface Captured extends CaptureOptions {
  readonly snapshot: ClusterSnapshot;
  /** By NodePool, before overlays. */
  readonly types: ReadonlyMap<string, readonly InstanceType[]>;
}

/** Collects references to immutable objects, without a copy, so that it costs little next to a plan (ADR 0049). */
export function capturedCluster(
  context: PlanningContext,
  { snapshot, types, reservedCapacity }: Captured,
): CapturedCluster {
  const { settings, defaultSpread, cloud, cluster } = context;
  const { preferencePolicy, minValuesPolicy, nodeOverheadPrice, planUpcomingPods, ignoreDraRequests } =
    settings;
  const { featureGates } = settings;
  const contents = cluster.contents();
  return {
    at: snapshot.at,
    planning: {
      preferencePolicy,
      minValuesPolicy,
      nodeOverheadPrice,
      planUpcomingPods,
      ignoreDraRequests,
      featureGates,
      reservedCapacity,
      defaultSpread,
      nodeClasses: cloud.nodeClasses.map(({ group, kind }) => ({ group, kind })),
      hasStorage: snapshot.storage !== undefined,
    },
    instanceTypes: savedInstanceTypes(types),
    facts: contents.facts.map(savedFact),
    objects: capturedLists(context, contents),
  };
}

/**
 * The objects of the state come from the state and not from the caches: it also has NodeClaims that this process
 * has created and no watch has shown yet.
 */
function capturedLists(context: PlanningContext, { lists }: StateContents): readonly SavedList[] {
  const ofState = lists.map(({ kind, objects }) => ({ kind: stateSources[kind], objects }) as KindList);
  const companions = companionKinds(context).map((kind) => ({
    kind,
    objects: context.caches.of(kind).list(),
  }));
  return savedLists([...ofState, ...companions]);
}
