import type { CoreSettings, DefaultSpreadConstraint } from '@karpenter/core/api';
import type { OverlayVerdict } from '@karpenter/core/node-overlays';
import type { UnsupportedStorage } from '@karpenter/core/pending-pods';
import type { CloudProvider, Log, Meters } from '@karpenter/core/ports';
import type { PlanInput, PlanSurroundings } from '@karpenter/core/provisioning';
import type { RequirementPolicy } from '@karpenter/core/requirements';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { CacheSet } from '@karpenter/kube/cache';
import type { KubeClient } from '@karpenter/kube/client';
import type { Clock, EventRecorder } from '@karpenter/kube/runtime';
import type { Cluster } from '../cluster/index.ts';

/** What controllers are made from; each asks for the parts it needs. */
export interface ControllerContext {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly cluster: Cluster;
  readonly cloud: CloudProvider;
  readonly recorder: EventRecorder;
  readonly meters: Meters;
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: CoreSettings;
  readonly planning: Planning;
  /** Labels that the cloud's instance types answer for, and other spellings of label keys. */
  readonly vocabulary: LabelVocabulary;
  /** What pods without spread constraints are given; the setting `scheduler-config`, read. */
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
}

export interface LabelVocabulary {
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly labelAliases: ReadonlyMap<string, string>;
  /** The label by which offerings name their capacity reservation. */
  readonly reservationIdLabel: string;
  /** Which labels people may ask for. */
  readonly policy: RequirementPolicy;
  /** Volumes that the cloud's nodes can never have. */
  readonly unsupportedStorage?: UnsupportedStorage;
}

/** The way from the state to what a plan looks at, shared by provisioning and disruption. */
export interface Planning {
  /**
   * The cluster now, with the instance types of every NodePool as the cloud and the overlays have them at this
   * moment. A pool whose types cannot be had is left without any.
   */
  snapshot(): Promise<ClusterSnapshot>;
  /** The same as plans look at it: pods judged, lent spread constraints and joined by those of buffers. */
  input(snapshot: ClusterSnapshot): PlanInput;
  /** What the last is made with, for who plans for other pods besides. */
  surroundings(): PlanSurroundings;
  /** Why the types of pools could not be had the last time, by name. */
  readonly typeFailures: ReadonlyMap<string, unknown>;
  /** What became of each NodeOverlay the last time. */
  readonly overlayVerdicts: readonly OverlayVerdict[];
}

/** Where plans are asked for. */
export interface PlanTrigger {
  /** Something, by its uid, needs a plan; one that has waited before is not made to wait for others to come. */
  trigger(uid: string, hasWaited?: boolean): void;
}
