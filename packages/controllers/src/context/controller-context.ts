import type { CoreSettings, DefaultSpreadConstraint } from '@karpenter/core/api';
import type { DecisionRecorder } from '@karpenter/core/decisions';
import type { OverlayVerdict } from '@karpenter/core/node-overlays';
import type { UnsupportedStorage } from '@karpenter/core/pending-pods';
import type { CloudProvider, InstanceType, Log, Meters } from '@karpenter/core/ports';
import type { PlanEnvironment, PlanInput } from '@karpenter/core/provisioning';
import type { RequirementPolicy } from '@karpenter/core/requirements';
import type { CapturedCluster, PlanningSettings } from '@karpenter/core/saved-cluster';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { CacheSet } from '@karpenter/kube/cache';
import type { KubeClient } from '@karpenter/kube/client';
import type { Clock, EventRecorder } from '@karpenter/kube/runtime';
import type { Cluster } from '../cluster/index.ts';

/** The dependencies of the controllers. Each controller takes the part of it that it needs. */
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
  /** Where controllers record what they decide. */
  readonly decisions: DecisionRecorder;
  /** Label keys that the cloud provider's instance types define, and aliases of label keys. */
  readonly vocabulary: LabelVocabulary;
  /**
   * The default topology spread of the cluster's kube-scheduler, parsed from the setting `scheduler-config`.
   */
  readonly defaultSpread: readonly DefaultSpreadConstraint[];
}

/** Which labels and volumes the cloud provider supports. */
export interface LabelVocabulary {
  readonly wellKnownLabels: ReadonlySet<string>;
  readonly labelAliases: ReadonlyMap<string, string>;
  /** The label whose value is the id of an offering's capacity reservation. */
  readonly reservationIdLabel: string;
  /** Which labels pods and NodePools may require, and which are restricted. */
  readonly policy: RequirementPolicy;
  /** Volumes that no node of this cloud provider can attach. */
  readonly unsupportedStorage?: UnsupportedStorage;
}

/** Prepares the inputs of plans, for provisioning and disruption alike. */
export interface Planning {
  /**
   * Refreshes the instance types of every NodePool and returns the cluster as it is then. It does not throw
   * when the types of a NodePool cannot be listed: that pool has none, and `typeFailures` has the error.
   */
  refresh(options?: RefreshOptions): Promise<RefreshedCluster>;
  /**
   * The input of a plan: provisionable pods with default spread constraints, the virtual pods of buffers,
   * and pods that workloads are about to create.
   */
  input(snapshot: ClusterSnapshot, options?: PlanInputOptions): PlanInput;
  /** Inputs of the last plan, so that disruption can plan for additional pods. */
  environment(): PlanEnvironment;
}

export interface PlanInputOptions {
  /** Whether to plan for pods that workloads are about to create; yes by default. */
  readonly forUpcomingPods?: boolean;
}

export interface RefreshOptions {
  /** Also captures the cluster for a plan that uses reservations this way; left out, nothing is captured. */
  readonly capture?: PlanningSettings['reservedCapacity'] | undefined;
}

/** The cluster after a refresh of instance types, and the result of that refresh. */
export interface RefreshedCluster {
  readonly snapshot: ClusterSnapshot;
  /** The instance types of each NodePool by its name, before overlays. */
  readonly listedTypes: ReadonlyMap<string, readonly InstanceType[]>;
  /** The errors of NodePools whose types could not be listed, by name. */
  readonly typeFailures: ReadonlyMap<string, unknown>;
  /** The outcome of each NodeOverlay. */
  readonly overlayVerdicts: readonly OverlayVerdict[];
  /** Everything that plans of the snapshot depend on; present if `capture` was set. */
  readonly captured?: CapturedCluster;
}

/** Starts a provisioning batch. */
export interface PlanTrigger {
  /**
   * Requests a plan for the object with this uid. Returns at once; repeated uids within a batch count once.
   * `hasWaited` keeps the object from extending the batch, such as a pod that was pending under the last leader.
   */
  trigger(uid: string, hasWaited?: boolean): void;
}
