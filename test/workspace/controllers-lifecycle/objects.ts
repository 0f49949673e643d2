import { nodeClaims, nodePools } from '@karpenter/controllers';
import type { NodeClaim, NodeClaimSpec, NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import type { CompleteOwnerReference } from '@karpenter/core/schema';
import type { Labels, QuantityTexts, Taint } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import type { ControllerWorld } from '@karpenter/testkit/controller-world';
import type { Node, Pod, PodSpec } from 'kubernetes-types/core/v1.js';
import { nodeClassRef, testPool } from '../controllers/objects.ts';

export const nodeClassLabel = 'karpenter.test.sh/testnodeclass';
export const unregistered: Taint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' };

const inValue = (key: string, value: string) => ({ key, operator: 'In' as const, values: [value] });

/** The only instance type of the clouds of these tests. */
export const instanceType: InstanceType = {
  name: 'm5.large',
  requirements: [
    inValue('node.kubernetes.io/instance-type', 'm5.large'),
    inValue('kubernetes.io/arch', 'amd64'),
    inValue('kubernetes.io/os', 'linux'),
  ],
  capacity: { cpu: '2', memory: '8Gi', pods: '29' },
  overhead: { kubeReserved: { cpu: '100m' } },
  offerings: [
    {
      requirements: [
        inValue('topology.kubernetes.io/zone', 'zone-a'),
        inValue('karpenter.sh/capacity-type', 'spot'),
      ],
      price: 0.1,
      available: true,
    },
  ],
};

export interface ClaimParts extends Partial<NodeClaimSpec> {
  readonly labels?: Labels;
  readonly annotations?: Labels;
  /** The uid of the NodePool, if it has one. */
  readonly poolUid?: string;
}

/** Creates a NodeClaim of the NodePool `default` that no controller has reconciled yet. */
export function createClaim(
  { client }: Pick<ControllerWorld, 'client'>,
  name: string,
  { labels, annotations, poolUid, ...spec }: ClaimParts = {},
): Promise<NodeClaim> {
  return client.create(nodeClaims, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name,
      labels: { 'karpenter.sh/nodepool': 'default', [nodeClassLabel]: 'default', ...labels },
      ...(annotations !== undefined && { annotations }),
      ...(poolUid !== undefined && {
        ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', uid: poolUid }],
      }),
    },
    spec: {
      requirements: [],
      nodeClassRef,
      resources: { requests: { cpu: '1', pods: '1' } },
      expireAfter: '720h',
      ...spec,
    },
  });
}

export interface NodeParts {
  readonly labels?: Labels;
  readonly taints?: readonly Taint[];
  readonly isReady?: boolean;
  readonly allocatable?: QuantityTexts;
  readonly conditions?: readonly Condition[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

/** Creates the Node of an instance, as its kubelet does; with the unregistered taint by default. */
export async function joinNode(
  world: Pick<ControllerWorld, 'client'>,
  name: string,
  providerID: string,
  { labels = {}, taints = [unregistered], isReady = true, allocatable, conditions = [] }: NodeParts = {},
): Promise<Node> {
  await world.client.create(kinds.node, {
    metadata: { name, labels: { ...labels } },
    spec: { ...(providerID !== '' && { providerID }), taints: taints.map((taint) => ({ ...taint })) },
  });
  return setNodeStatus(world, name, {
    capacity: { ...(allocatable ?? instanceType.capacity) },
    allocatable: { ...(allocatable ?? instanceType.capacity) },
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }, ...conditions],
  });
}

export function setNodeStatus(
  { client }: Pick<ControllerWorld, 'client'>,
  name: string,
  status: object,
): Promise<Node> {
  return client.patch(kinds.node, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
}

export interface BoundPodParts extends Partial<Omit<PodSpec, 'containers'>> {
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  /** An owner that exists: the API server deletes objects whose owner does not. */
  readonly owner?: CompleteOwnerReference;
  readonly phase?: string;
  readonly startTime?: string;
}

/** Creates a pod that runs on a node. */
export async function createPodOn(
  { client }: Pick<ControllerWorld, 'client'>,
  nodeName: string,
  name: string,
  { labels, annotations, owner, phase = 'Running', startTime, ...spec }: BoundPodParts = {},
): Promise<Pod> {
  const created = await client.create(kinds.pod, {
    metadata: {
      name,
      namespace: 'default',
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(owner !== undefined && { ownerReferences: [{ ...owner }] }),
    },
    spec: { containers: [{ name: 'main', image: 'app' }], nodeName, ...spec },
  });
  const conditions = phase === 'Running' ? [{ type: 'Ready', status: 'True' }] : [];
  const status = { phase, conditions, ...(startTime !== undefined && { startTime }) };
  const key = { namespace: 'default', name };
  await client.patch(kinds.pod, key, { type: 'merge', body: { status } }, { subresource: 'status' });
  return created;
}

/** An object that can own pods. */
export async function createDaemonSet({
  client,
}: Pick<ControllerWorld, 'client'>): Promise<CompleteOwnerReference> {
  const labels = { app: 'daemon' };
  const { metadata } = await client.create(kinds.daemonSet, {
    metadata: { name: 'daemon', namespace: 'default' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app' }] } },
    },
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    name: 'daemon',
    uid: metadata?.uid ?? '',
    controller: true,
  };
}

/** Removes a terminated pod, as a kubelet does. */
export async function finishPod({ client }: Pick<ControllerWorld, 'client'>, name: string): Promise<void> {
  await client.delete(kinds.pod, { namespace: 'default', name }, { gracePeriodSeconds: 0 });
}

export function createNodePool({ client }: Pick<ControllerWorld, 'client'>): Promise<NodePool> {
  return client.create(nodePools, testPool());
}
