import type { NodeClaim, NodeOverlay, NodePool } from '../api/index.ts';
import type { PendingPod } from '../pending-pods/index.ts';
import type {
  PersistentVolumeClaimView,
  PersistentVolumeView,
  PodSpecView,
  StorageClassView,
} from '../scheduling/index.ts';
import type { LabelSelector, Labels, QuantityTexts, Taint } from '../values/index.ts';

/** Identifies one version of an object. Objects read from files have neither uid nor resourceVersion. */
export interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

interface Meta {
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
}

interface NamespacedMeta extends Meta {
  readonly namespace: string;
}

/**
 * The fields of a Node that the state reads. All shapes in this file use the field names of Kubernetes' JSON.
 */
export interface ClusterNode {
  readonly metadata: Meta;
  readonly spec?: {
    readonly providerID?: string;
    readonly taints?: readonly Taint[];
    readonly unschedulable?: boolean;
  };
  readonly status?: {
    readonly capacity?: QuantityTexts;
    readonly allocatable?: QuantityTexts;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}

export interface ClusterPod extends PendingPod {
  readonly metadata: PendingPod['metadata'] & {
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: PendingPod['spec'] & {
    readonly terminationGracePeriodSeconds?: number;
    readonly priorityClassName?: string;
  };
  readonly status?: NonNullable<PendingPod['status']> & { readonly startTime?: string };
}

export interface DaemonSet {
  readonly metadata: NamespacedMeta;
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly labels?: Labels; readonly annotations?: Labels };
      readonly spec: PodSpecView;
    };
  };
}

export interface CsiNode {
  readonly metadata: Meta;
  readonly spec?: {
    readonly drivers?: readonly {
      readonly name: string;
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

export interface VolumeAttachment {
  readonly metadata: Meta;
  readonly spec: {
    readonly attacher: string;
    readonly nodeName: string;
    readonly source: { readonly persistentVolumeName?: string };
  };
}

export interface PodDisruptionBudget {
  readonly metadata: NamespacedMeta;
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    /** `AlwaysAllow` lets unready pods be evicted even when the budget is exhausted. */
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: { readonly disruptionsAllowed?: number };
}

export interface Namespace {
  readonly metadata: Meta;
}

/** The kinds that the state is built from. */
export interface StateObjects {
  readonly Node: ClusterNode;
  readonly NodeClaim: NodeClaim;
  readonly NodePool: NodePool;
  readonly NodeOverlay: NodeOverlay;
  readonly Pod: ClusterPod;
  readonly DaemonSet: DaemonSet;
  readonly PersistentVolumeClaim: PersistentVolumeClaimView & Stored;
  readonly PersistentVolume: PersistentVolumeView & Stored;
  readonly StorageClass: StorageClassView & Stored;
  readonly CSINode: CsiNode;
  readonly VolumeAttachment: VolumeAttachment;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly Namespace: Namespace;
}

export type StateKind = keyof StateObjects;

export const stateKinds = [
  'Node',
  'NodeClaim',
  'NodePool',
  'NodeOverlay',
  'Pod',
  'DaemonSet',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'VolumeAttachment',
  'PodDisruptionBudget',
  'Namespace',
] as const satisfies readonly StateKind[];
