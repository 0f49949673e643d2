import type { GroupSizes } from '../source/source-group.ts';

/** A pod, as far as a migration looks at it. */
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
  /** Neither a daemon nor a static pod nor finished: it needs another node when its node goes. */
  readonly isMovable: boolean;
  /** Why a drain may not evict it unless forced; absent for most pods. */
  readonly protection?: string;
  /** Why its PodDisruptionBudgets will not allow an eviction as things are; absent where one may succeed. */
  readonly deadlock?: string;
  /** Whether it is a pod of the controller itself. */
  readonly isKarpenter: boolean;
  /** What kube-scheduler says of a pod without a node. */
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
  /** Absent where there is no Deployment of Cluster Autoscaler any more. */
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
