import type { NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { Labels, OwnerReference, PodLike, QuantityTexts, Taint } from '../values/index.ts';
import type { DevicesView } from './devices/index.ts';
import type { PodSpecView } from './pod-spec.ts';
import type { StorageView } from './volumes/storage.ts';

/**
 * Everything a plan may look at, at one moment. Frozen plain data: it can be written to a file and replayed,
 * which is the dry run, the bug report and the test.
 */
export interface Snapshot {
  /** The only "now" a decision may use, in milliseconds since 1970. */
  readonly at: number;
  /** Given back by the plan, so that a stale one can be told. */
  readonly revision: number;
  readonly nodePools: readonly NodePool[];
  /** By name of the NodePool; unavailable offerings included. */
  readonly instanceTypes: ReadonlyMap<string, readonly InstanceType[]>;
  readonly nodes: readonly NodeView[];
  /** Pods to be placed, in any order: pending ones, those of deleting nodes, virtual ones. */
  readonly pods: readonly PodView[];
  /** Pods that run on nodes, for counting in topologies; their requests are part of their node's view. */
  readonly boundPods: readonly BoundPodView[];
  /** One pod for each DaemonSet. */
  readonly daemonPods: readonly PodView[];
  /** Labels of namespaces, for the namespace selectors of pod affinity. */
  readonly namespaces: ReadonlyMap<string, Labels>;
  /** For pods with volumes; absent where none are known. */
  readonly storage?: StorageView;
  /** For pods with resource claims; absent where those are of no concern. */
  readonly devices?: DevicesView;
}

/** A node that exists or is on its way: a Node, a NodeClaim in flight, or both. */
export interface NodeView {
  readonly name: string;
  /** The NodeClaim behind it; absent for nodes that nobody here manages. */
  readonly nodeClaim?: string;
  readonly nodePool?: string;
  readonly labels: Labels;
  /** Taints that count for placement: ephemeral and startup taints are left out before initialization. */
  readonly taints: readonly Taint[];
  readonly initialized: boolean;
  /** Its pods are among those to be placed; it takes none and counts against no limit. */
  readonly deleting: boolean;
  readonly capacity: QuantityTexts;
  readonly allocatable: QuantityTexts;
  /** Sum of the requests of the pods on it, DaemonSet pods included. */
  readonly podRequests: QuantityTexts;
  /** The part of them that belongs to DaemonSet pods. */
  readonly daemonRequests: QuantityTexts;
  /** How many volumes each storage driver can attach; a driver that is not named has no limit. */
  readonly volumeLimits?: Readonly<Record<string, number>>;
}

/** A pod to be placed, as the API has it. Equal pods may share their parts; that makes planning faster. */
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
  /** A pod that is being deleted does not count in topologies, though it still keeps others away. */
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly OwnerReference[];
}

export interface BoundPodView extends PodView {
  readonly nodeName: string;
}
