import type { CoreSettings, DefaultSpreadConstraint } from '../api/index.ts';
import type { InstanceType, NodeClassKind } from '../ports/index.ts';
import type { ReservedCapacity } from '../scheduling/index.ts';
import type { ProcessFact } from '../state/index.ts';

export const savedClusterKind = 'SavedCluster';
/** Increase the version when an old reader would misread a new file. */
export const savedClusterVersion = 'saved.karpenter.sh/v1';

/** Everything that a plan depends on, at one instant. */
export interface SavedCluster extends CapturedCluster {
  readonly apiVersion: typeof savedClusterVersion;
  readonly kind: typeof savedClusterKind;
}

/** A saved cluster before it is written. It refers to the objects of the caches, so that capturing is cheap. */
export interface CapturedCluster {
  /** The instant of the plan, in milliseconds since 1970. */
  readonly at: number;
  readonly planning: PlanningSettings;
  readonly instanceTypes: SavedInstanceTypes;
  readonly facts: readonly SavedFact[];
  readonly objects: readonly SavedList[];
}

/** The settings that affect a plan. */
export interface PlanningSettings
  extends Pick<CoreSettings, 'preferencePolicy' | 'minValuesPolicy' | 'ignoreDraRequests' | 'featureGates'>,
    Partial<Pick<CoreSettings, 'nodeOverheadPrice' | 'planUpcomingPods'>> {
  /** Provisioning plans `strict`, disruption with `fallback`. */
  readonly reservedCapacity: ReservedCapacity['mode'];
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
  /** NodePools whose NodeClass is of another kind are not planned with. */
  readonly nodeClasses: readonly Pick<NodeClassKind, 'group' | 'kind'>[];
  /** False for manifests without storage objects: volumes then restrict no pod. */
  readonly hasStorage: boolean;
}

/** Instance types as the cloud provider listed them, before overlays. NodePools mostly share one list. */
export interface SavedInstanceTypes {
  readonly lists: readonly (readonly InstanceType[])[];
  /** The index into `lists` of each NodePool. */
  readonly nodePools: Readonly<Record<string, number>>;
}

/** A fact as JSON can hold it. */
export type SavedFact =
  | Exclude<ProcessFact, { readonly type: 'bufferPodsPlaced' }>
  | { readonly type: 'bufferPodsPlaced'; readonly byNode: Readonly<Record<string, number>> };

/** The objects of one kind. Items may leave out `apiVersion` and `kind`. */
export interface SavedList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly object[];
}
