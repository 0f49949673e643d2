import type { GroupSizes } from '../source/source-group.ts';

/** The state of a pod that a migration depends on. */
export interface ObservedPod {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly nodeName?: string;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly isReady: boolean;
  readonly isTerminating: boolean;
  /** Not of a DaemonSet, not static and not finished: it needs another node when its node is drained. */
  readonly isMovable: boolean;
  /** Why a drain may not evict it unless forced; absent for most pods. */
  readonly protection?: string;
  /** Why its PodDisruptionBudgets can allow no eviction; absent if one may succeed. */
  readonly deadlock?: string;
  /** Whether it is a pod of the controller itself. */
  readonly isKarpenter: boolean;
  /** Message of kube-scheduler for a pod without a node. */
  readonly schedulerMessage?: string;
}

export interface ObservedNode {
  readonly name: string;
  readonly instanceId: string;
  readonly zone: string;
  readonly createdAt: number;
  readonly isCordoned: boolean;
}

export interface ObservedGroup {
  readonly sizes: GroupSizes;
  readonly isRebalanceSuspended: boolean;
  /** Those that are not being terminated. */
  readonly instanceIds: readonly string[];
}

/** The cluster and the groups at one moment. */
export interface ObservedCluster {
  readonly now: number;
  /** Absent if there is no Deployment of Cluster Autoscaler. */
  readonly autoscaler?: { readonly replicas: number; readonly pods: number };
  /** By the name of the Auto Scaling group. */
  readonly groups: ReadonlyMap<string, ObservedGroup>;
  readonly nodes: readonly ObservedNode[];
  readonly pods: readonly ObservedPod[];
  /** NodePools whose nodes have failed to register, with the message of the condition. */
  readonly unhealthyPools: readonly {
    readonly name: string;
    readonly message: string;
    readonly since: number;
  }[];
}
