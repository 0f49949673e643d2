import type { NodeClaim, NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import {
  type ClusterNode,
  type ClusterPod,
  type ClusterSnapshot,
  ClusterState,
  type DaemonSet,
  type Fact,
  type PodDisruptionBudget,
} from '@karpenter/core/state';
import type { Labels } from '@karpenter/core/values';
import { type BoundPodParts, boundPod, claim, node } from '../cluster-objects/index.ts';
import { type PoolParts, pool } from '../snapshots/index.ts';

/** The time at which tests of disruption take place. */
export const clusterTime = Date.UTC(2026, 0, 10);

/** A NodePool that by default allows disruption of all its nodes at once. */
export function disruptedPool(
  name: string,
  { disruption, annotations, ...parts }: PoolParts & DisruptedPoolParts = {},
): NodePool {
  const { metadata, spec, ...rest } = pool(name, parts);
  return {
    ...rest,
    metadata: { ...metadata, uid: name, ...(annotations !== undefined && { annotations }) },
    spec: {
      ...spec,
      disruption: {
        consolidateAfter: '0s',
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        budgets: [{ nodes: '100%' }],
        ...disruption,
      },
    },
  };
}

export interface DisruptedPoolParts {
  readonly disruption?: Partial<NodePool['spec']['disruption']>;
  readonly annotations?: Labels;
}

export interface ManagedNodeParts {
  readonly pool?: string;
  readonly type?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  readonly cpu?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
  readonly claimAnnotations?: Labels;
  /** Conditions of the NodeClaim besides those of an initialized node; True since the first day. */
  readonly conditions?: readonly string[];
  readonly terminationGracePeriod?: string;
  readonly lastPodEventTime?: string;
  readonly isReady?: boolean;
  readonly isInitialized?: boolean;
  readonly pods?: readonly ClusterPod[];
}

/** An initialized node with its NodeClaim and its pods. */
export interface ManagedNode {
  readonly node: ClusterNode;
  readonly nodeClaim: NodeClaim;
  readonly pods: readonly ClusterPod[];
}

const usualConditions = ['Launched', 'Registered', 'Initialized', 'Consolidatable'];

export function managedNode(name: string, parts: ManagedNodeParts = {}): ManagedNode {
  const { pool: nodePool = 'default', type = 'large', zone = 'a', capacityType = 'on-demand' } = parts;
  const { cpu = '8', isReady = true, isInitialized = true, conditions = [] } = parts;
  const capacity = { cpu, memory: '64Gi', pods: '110' };
  const labels = {
    'node.kubernetes.io/instance-type': type,
    'topology.kubernetes.io/zone': zone,
    'karpenter.sh/capacity-type': capacityType,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/hostname': name,
    ...(isInitialized ? {} : { 'karpenter.sh/initialized': 'false' }),
    ...parts.labels,
  };
  const made = claim(`claim-${name}`, {
    pool: nodePool,
    providerID: `cloud://${name}`,
    nodeName: name,
    labels,
    capacity,
    created: '2026-01-01T00:00:00Z',
    conditions: [...usualConditions, ...conditions],
    ...(parts.claimAnnotations !== undefined && { annotations: parts.claimAnnotations }),
  });
  const { terminationGracePeriod, lastPodEventTime, annotations, pods = [] } = parts;
  const shown = node(name, {
    pool: nodePool,
    labels,
    capacity,
    ...(annotations !== undefined && { annotations }),
  });
  return {
    node: {
      ...shown,
      status: { ...shown.status, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
    },
    nodeClaim: {
      ...made,
      spec: { ...made.spec, ...(terminationGracePeriod !== undefined && { terminationGracePeriod }) },
      status: { ...made.status, ...(lastPodEventTime !== undefined && { lastPodEventTime }) },
    },
    pods,
  };
}

/** Identical running pods of a Deployment on a node. */
export function runningPods(
  count: number,
  nodeName: string,
  parts: BoundPodParts = {},
): readonly ClusterPod[] {
  return Array.from({ length: count }, (_, index) =>
    boundPod(`${nodeName}-${index}`, nodeName, { owner: 'ReplicaSet/app', labels: { app: 'app' }, ...parts }),
  );
}

export interface ClusterParts {
  readonly managedNodes: readonly ManagedNode[];
  readonly types: readonly InstanceType[];
  readonly pools?: readonly NodePool[];
  /** Nodes without a NodeClaim. */
  readonly nodes?: readonly ClusterNode[];
  readonly pods?: readonly ClusterPod[];
  readonly budgets?: readonly PodDisruptionBudget[];
  readonly daemonSets?: readonly DaemonSet[];
  readonly facts?: readonly Fact[];
  readonly at?: number;
}

/** A cluster as the cluster state presents it. */
export function disruptableCluster(parts: ClusterParts): ClusterSnapshot {
  const { managedNodes, types, pools = [disruptedPool('default')], at = clusterTime } = parts;
  const state = new ClusterState();
  for (const object of pools) {
    state.apply({ type: 'applied', kind: 'NodePool', object });
    state.apply({ type: 'instanceTypesKnown', nodePool: object.metadata.name, types });
  }
  for (const { node: object, nodeClaim, pods } of managedNodes) {
    state.apply({ type: 'applied', kind: 'Node', object });
    state.apply({ type: 'applied', kind: 'NodeClaim', object: nodeClaim });
    for (const pod of pods) state.apply({ type: 'applied', kind: 'Pod', object: pod });
  }
  for (const object of parts.nodes ?? []) state.apply({ type: 'applied', kind: 'Node', object });
  for (const object of parts.pods ?? []) state.apply({ type: 'applied', kind: 'Pod', object });
  for (const object of parts.budgets ?? [])
    state.apply({ type: 'applied', kind: 'PodDisruptionBudget', object });
  for (const object of parts.daemonSets ?? []) state.apply({ type: 'applied', kind: 'DaemonSet', object });
  for (const fact of parts.facts ?? []) state.apply(fact);
  return state.snapshot(at);
}

/** Runs a generator to its end without pausing, and returns its result. */
export function drained<T>(steps: Generator<void, T, undefined>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
