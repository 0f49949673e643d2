import type { NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { Labels, OwnerReference, PodLike, QuantityTexts, Taint } from '../values/index.ts';
import type { DevicesView } from './devices/index.ts';
import type { PodSpecView } from './pod-spec.ts';
import type { StorageView } from './volumes/storage.ts';

/**
 * Everything a plan may read, at one moment. Frozen plain data, so that it can be saved and replayed: as a
 * dry run, in a bug report, in a test.
 */
export interface Snapshot {
  /** The only "now" a decision may use, in milliseconds since 1970. */
  readonly at: number;
  /** Copied to the plan, so that a caller can tell which state a plan is based on. */
  readonly revision: number;
  readonly nodePools: readonly NodePool[];
  /** By name of the NodePool; unavailable offerings included. */
  readonly instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
  readonly nodes: readonly NodeView[];
  /** Pods to place, in any order: pending pods, pods of deleting nodes, virtual pods of buffers. */
  readonly pods: readonly PodView[];
  /** Pods bound to nodes, for counting in topology groups; their requests are in `NodeView.podRequests`. */
  readonly boundPods: readonly BoundPodView[];
  /** One pod for each DaemonSet. */
  readonly daemonPods: readonly PodView[];
  /** Labels of namespaces, for the namespace selectors of pod affinity. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  /** For pods with volumes; absent where none are known. */
  readonly storage?: StorageView;
  /** For pods with resource claims; absent where plans ignore claims. */
  readonly devices?: DevicesView;
}

/** A node that exists or is in flight: a Node, a NodeClaim, or both. */
export interface NodeView {
  readonly name: string;
  /** Name of its NodeClaim; absent for nodes that Karpenter does not manage. */
  readonly nodeClaim?: string;
  readonly nodePool?: string;
  readonly labels: Labels;
  /** Taints that count for placement: ephemeral and startup taints are left out before initialization. */
  readonly taints: readonly Taint[];
  readonly initialized: boolean;
  /** Its pods are among those to place. It takes no pods and does not count against limits. */
  readonly deleting: boolean;
  /** A waiting consolidation will remove it, so it takes only pods that fit nowhere else (ADR 0069). */
  readonly isLeaving?: boolean;
  readonly capacity: QuantityTexts;
  readonly allocatable: QuantityTexts;
  /** Sum of the requests of the pods on it, DaemonSet pods included. */
  readonly podRequests: QuantityTexts;
  /** The part of them that belongs to DaemonSet pods. */
  readonly daemonRequests: QuantityTexts;
  /** Volumes that each CSI driver can attach, from the CSINode; a driver without an entry has no limit. */
  readonly volumeLimits?: Readonly<Record<string, number>>;
}

/**
 * A pod to place, as in the API. Pods that share `spec` and `labels` objects are grouped without comparing
 * them.
 */
export interface PodView extends PodLike {
  readonly metadata: PodMetadata;
  readonly spec: PodSpecView;
}

export interface PodMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly creationTimestamp?: string;
  /**
   * A terminating pod does not count in topology groups, but its anti-affinity still applies, as in
   * Karpenter.
   */
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface BoundPodView extends PodView {
  readonly nodeName: string;
}
