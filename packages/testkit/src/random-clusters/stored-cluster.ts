import { labelKeys, type NodePool, nodeClaimConditions } from '@karpenter/core/api';
import type { BoundPodView, NodeView, PodView } from '@karpenter/core/scheduling';
import type { ContainerLike } from '@karpenter/core/values';
import type { KubeObject } from '@karpenter/kube/client';
import { SeededRandom } from './chance.ts';
import { teamLabel, teams } from './label-choices.ts';
import type { RandomCluster } from './random-cluster.ts';

/**
 * An object to create and the status to write afterwards. A terminating object is then deleted, and a
 * finalizer keeps it.
 */
export interface StoredObject {
  readonly object: KubeObject & {
    readonly kind: string;
    readonly spec?: object;
    readonly status?: object;
  };
  readonly isDeleted?: boolean;
}

const finalizer = 'example.com/stays';

/**
 * The objects of a live cluster whose state is the snapshot, and around them what only a live cluster has:
 * NodeClaims at every step, terminating pods, disruption budgets, overlays and buffers.
 */
export function storedCluster({ snapshot }: RandomCluster, seed: number): readonly StoredObject[] {
  const chance = new SeededRandom(seed);
  const { nodePools, nodes, pods, boundPods, daemonPods } = snapshot;
  const isBound = (pod: PodView): pod is BoundPodView => 'nodeName' in pod;
  return [
    ...nodePools.map((pool) => ({ object: readyPool(pool, chance) })),
    ...nodes.flatMap((node, index) => nodeObjects(node, index, chance)),
    ...[...pods, ...boundPods].map((pod) => podObject(pod, isBound(pod) ? pod.nodeName : undefined, chance)),
    ...daemonPods.map((pod) => ({ object: daemonSet(pod) })),
    ...chance.times(0, 2, (index) => launchingClaim(index, nodePools, chance)),
    ...chance.times(0, 2, (index) => ({ object: budget(index, chance) })),
    ...chance.times(0, 2, (index) => ({ object: overlay(index, chance) })),
    ...bufferObjects(pods, chance),
  ];
}

const since = '2026-01-01T00:00:00Z';

function condition(type: string, status: 'True' | 'False' = 'True') {
  return { type, status, reason: type, message: '', lastTransitionTime: since };
}

function readyPool(pool: NodePool, chance: SeededRandom) {
  return { ...pool, status: { conditions: [condition('Ready', chance.happens(0.9) ? 'True' : 'False')] } };
}

const nodeClassRef = { group: 'example.com', kind: 'MachineClass', name: 'default' };

/** The Node, the NodeClaim, or both, depending on how far the launch has come. */
function nodeObjects(view: NodeView, index: number, chance: SeededRandom): readonly StoredObject[] {
  const providerID = `cloud://instance-${index}`;
  const isManaged = view.nodePool !== undefined;
  const node = nodeObject(view, providerID, isManaged);
  if (!isManaged) return [{ object: node, isDeleted: view.deleting }];
  const hasJoined = view.initialized || chance.happens(0.6);
  const conditions = [
    condition(nodeClaimConditions.launched),
    ...(hasJoined ? [condition(nodeClaimConditions.registered)] : []),
    ...(view.initialized ? [condition(nodeClaimConditions.initialized)] : []),
    ...(chance.happens(0.1) ? [condition(nodeClaimConditions.instanceTerminating)] : []),
  ];
  const claim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: `claim-${index}`, labels: view.labels, finalizers: [finalizer] },
    spec: { requirements: [], nodeClassRef, expireAfter: 'Never', ...taintsOf(view) },
    status: {
      providerID,
      ...(hasJoined && { nodeName: view.name }),
      capacity: view.capacity,
      allocatable: view.allocatable,
      conditions,
    },
  };
  // More than the snapshot has, because the pods of terminating nodes are what is hardest to agree on.
  const isDeleted = view.deleting || chance.happens(0.5);
  return [{ object: claim, isDeleted }, ...(hasJoined ? [{ object: node }] : [])];
}

function taintsOf({ taints }: NodeView) {
  return { taints, startupTaints: [{ key: 'starting', effect: 'NoSchedule' }] };
}

function nodeObject(view: NodeView, providerID: string, isManaged: boolean) {
  const progress = {
    [labelKeys.registered]: 'true',
    ...(view.initialized && { [labelKeys.initialized]: 'true' }),
    [labelKeys.instanceType]: 'large',
  };
  const starting = view.initialized ? [] : [{ key: 'starting', effect: 'NoSchedule' }];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: view.name,
      labels: { ...view.labels, ...(isManaged && progress) },
      finalizers: [finalizer],
    },
    spec: { providerID, taints: [...view.taints, ...starting] },
    status: { capacity: view.capacity, allocatable: view.allocatable },
  };
}

function podObject(
  { metadata, spec }: PodView,
  nodeName: string | undefined,
  chance: SeededRandom,
): StoredObject {
  const { name, namespace, labels } = metadata;
  const owner = chance.pick(['ReplicaSet', 'StatefulSet', 'DaemonSet']);
  const isOwned = nodeName !== undefined && chance.happens(0.8);
  const reason = chance.happens(0.9) ? 'Unschedulable' : 'SchedulingGated';
  return {
    object: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        ...(labels !== undefined && { labels }),
        annotations: chance.happens(0.1) ? { 'karpenter.sh/do-not-disrupt': 'true' } : {},
        finalizers: [finalizer],
        ...(isOwned && {
          ownerReferences: [{ apiVersion: 'apps/v1', kind: owner, name: 'o', uid: 'o', controller: true }],
        }),
      },
      spec: { ...withImages(spec), ...(nodeName !== undefined && { nodeName }) },
      status:
        nodeName === undefined
          ? { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason }] }
          : { phase: chance.happens(0.9) ? 'Running' : 'Succeeded' },
    },
    isDeleted: chance.happens(0.1),
  };
}

/** The API server rejects containers without an image, and extended resources without a limit. */
function withImages(spec: PodView['spec']) {
  const image = (container: ContainerLike) => {
    const { requests = {} } = container.resources ?? {};
    const limits = Object.fromEntries(Object.entries(requests).filter(([name]) => name.includes('/')));
    return { ...container, image: 'pause', resources: { requests, limits } };
  };
  return {
    ...spec,
    // Tolerations with comparison operators are behind a feature gate of the API server.
    tolerations: (spec.tolerations ?? []).filter(({ operator }) => operator !== 'Gt'),
    containers: spec.containers.map(image),
    ...(spec.initContainers !== undefined && { initContainers: spec.initContainers.map(image) }),
  };
}

function daemonSet({ metadata, spec }: PodView) {
  const labels = metadata.labels ?? {};
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: metadata.name, namespace: metadata.namespace },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: withImages(spec) } },
  };
}

/** A NodeClaim without an instance. */
function launchingClaim(index: number, pools: readonly NodePool[], chance: SeededRandom): StoredObject {
  const pool = pools[chance.integer(0, pools.length - 1)]?.metadata.name ?? '';
  return {
    object: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: {
        name: `launching-${index}`,
        labels: { [labelKeys.nodePool]: pool },
        finalizers: [finalizer],
      },
      spec: {
        requirements: [{ key: teamLabel, operator: 'In', values: [chance.pick(teams)] }],
        nodeClassRef,
        expireAfter: 'Never',
        ...(chance.happens(0.3) && { resources: { requests: { cpu: '1' } } }),
      },
    },
    isDeleted: chance.happens(0.2),
  };
}

function budget(index: number, chance: SeededRandom) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `budget-${index}`, namespace: 'default' },
    spec: { maxUnavailable: 1, selector: { matchLabels: { v: chance.pick(['1', '2']) } } },
    status: {
      disruptionsAllowed: chance.integer(0, 1),
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    },
  };
}

function overlay(index: number, chance: SeededRandom) {
  return {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: `overlay-${index}` },
    spec: {
      requirements: [{ key: labelKeys.zone, operator: 'Exists' }],
      weight: index + 1,
      ...(chance.happens(0.5) ? { priceAdjustment: '+50%' } : { capacity: { 'example.com/slot': '2' } }),
    },
  };
}

/** A buffer in the shape of one of the pods, or of an object that does not exist. */
function bufferObjects(pods: readonly PodView[], chance: SeededRandom): readonly StoredObject[] {
  const [pod] = pods;
  if (pod === undefined || chance.happens(0.5)) return [];
  const template = {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'spare', namespace: 'default' },
    template: { metadata: { labels: pod.metadata.labels ?? {} }, spec: withImages(pod.spec) },
  };
  const buffer = {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'default' },
    spec: { podTemplateRef: { name: 'spare' }, replicas: chance.integer(1, 3) },
  };
  return [...(chance.happens(0.8) ? [{ object: template }] : []), { object: buffer }];
}
