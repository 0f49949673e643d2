import { installDefinitions } from '@karpenter/cli/embedded';
import { type Kind, type KubeClient, kinds, nodeClaims, nodePools } from '@karpenter/kube/client';
import { pool } from '@karpenter/testkit/snapshots';
import type { Pod } from 'kubernetes-types/core/v1.js';

export const ready = { type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' };

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

/** Labels of a Linux node in us-west-2a. */
export const nodeLabels = (type: string) => ({
  'node.kubernetes.io/instance-type': type,
  'kubernetes.io/os': 'linux',
  'topology.kubernetes.io/region': 'us-west-2',
  'topology.kubernetes.io/zone': 'us-west-2a',
});

/** Labels of an initialized node of the NodePool `default`. */
export const karpenterLabels = (capacityType: string) => ({
  'karpenter.sh/nodepool': 'default',
  'karpenter.sh/capacity-type': capacityType,
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
});

/** Installs the custom resources and waits until they are served, which on a real API server takes a moment. */
export async function installServed(client: KubeClient): Promise<void> {
  await installDefinitions(client);
  for (;;) {
    const isServed = await Promise.all([client.list(nodePools), client.list(nodeClaims)]).then(
      () => true,
      () => false,
    );
    if (isServed) return;
  }
}

/** The default service account, which a controller creates where one runs. */
export async function createAccount(client: KubeClient, namespace: string): Promise<void> {
  const account = { metadata: { name: 'default', namespace } };
  await client.create(kinds.serviceAccount, account).catch(() => undefined);
}

export function conditions(...types: readonly string[]) {
  return types.map((type) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  }));
}

/** The conditions of a claim whose node may be consolidated. */
export const consolidatable = conditions('Launched', 'Registered', 'Initialized', 'Consolidatable', 'Ready');

/** The NodePool `default`, ready, of an EC2NodeClass. */
export async function createPool(client: KubeClient): Promise<void> {
  const { template, ...spec } = pool('default').spec;
  await client.create(nodePools, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: { ...spec, template: { ...template, spec: { ...template.spec, nodeClassRef } } },
  });
  const body = { status: { conditions: conditions('ValidationSucceeded', 'NodeClassReady', 'Ready') } };
  await client.patch(nodePools, { name: 'default' }, { type: 'merge', body }, { subresource: 'status' });
}

export interface CreatedClaim {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly status: object;
}

export async function createClaim(client: KubeClient, { name, labels, status }: CreatedClaim): Promise<void> {
  await client.create(nodeClaims, {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, labels },
    spec: {
      nodeClassRef,
      requirements: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
      expireAfter: '720h',
    },
  });
  await client.patch(nodeClaims, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
}

/** A workload behind pods: the garbage collector deletes pods whose owner does not exist. */
export interface Owner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export async function createOwner(
  client: KubeClient,
  kind: Kind,
  metadata: { readonly name: string; readonly namespace: string },
): Promise<Owner> {
  const labels = { app: 'owned' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app' }] } };
  const service = kind.kind === 'StatefulSet' ? { serviceName: metadata.name } : {};
  const owner = { metadata, spec: { selector: { matchLabels: labels }, template, ...service } };
  const { uid = '' } = (await client.create(kind, owner)).metadata ?? {};
  return { kind: kind.kind, name: metadata.name, uid };
}

export interface RunningPod {
  readonly name: string;
  readonly namespace?: string;
  readonly node: string;
  readonly owner: Owner;
  readonly cpu: string;
  readonly memory: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

/** Creates a pod that runs and is ready. */
export async function createRunning(client: KubeClient, parts: RunningPod): Promise<void> {
  const { name, namespace = 'default', node, owner, cpu, memory } = parts;
  const { labels = { app: name }, annotations = {}, nodeSelector = {} } = parts;
  const hash: Record<string, string> = owner.kind === 'ReplicaSet' ? { 'pod-template-hash': '5f6d' } : {};
  const pod: Pod = {
    metadata: {
      name,
      namespace,
      labels: { ...labels, ...hash },
      annotations,
      ownerReferences: [{ apiVersion: 'apps/v1', controller: true, ...owner }],
    },
    spec: {
      nodeName: node,
      nodeSelector,
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu, memory } } }],
      terminationGracePeriodSeconds: 0,
    },
  };
  await client.create(kinds.pod, pod);
  const body = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
  await client.patch(kinds.pod, { name, namespace }, { type: 'merge', body }, { subresource: 'status' });
}
