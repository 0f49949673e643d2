import { ec2NodeClasses } from '@karpenter/aws';
import { capacityBuffers, nodePools } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { running } from './pods.ts';
import type { CloudWorld } from './world.ts';

const longAgoMs = 3_600_000;
const shortlyMs = 10_000;
const slowBootMs = 30_000;
const limits = { cpu: '1', memory: '2Gi' };
/** Those of the NodePool, with spot instances besides. */
const withSpot = [
  { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
  { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
  { key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: ['4'] },
];
/** The cheapest types, in every zone: which zone a fleet tries first is left to chance. */
const scarce = [{ types: 'c*', zones: '*', capacityTypes: '*', depth: 0 }];

/** Most of what can happen to a cluster, in sequence, so that every metric is reported. */
export async function eventfulDay(world: CloudWorld): Promise<void> {
  await grow(world);
  await shrink(world);
  await fallIll(world);
  await useSpot(world);
  await end(world);
}

/**
 * A shortage, pods with limits, a capacity buffer, and a second batch on a NodePool with successful
 * registrations.
 */
async function grow(world: CloudWorld): Promise<void> {
  world.cloud.faults.set({ capacity: scarce });
  await world.apply('01-first-node/nodeclass.yaml');
  await world.apply('07-budgets/nodepool.yaml');
  await changePool(world, {
    disruption: { consolidationPolicy: 'Balanced', budgets: [{ nodes: '100%' }] },
    limits: { cpu: '100' },
  });
  await world.client.create(kinds.daemonSet, {
    metadata: { name: 'agent', namespace: 'kube-system' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: {
          containers: [
            { name: 'agent', image: 'agent', resources: { limits: { cpu: '100m', memory: '64Mi' } } },
          ],
        },
      },
    },
  });
  await world.apply('01-first-node/inflate.yaml');
  await world.client.patch(
    kinds.deployment,
    { namespace: 'default', name: 'inflate' },
    {
      type: 'strategic',
      body: { spec: { template: { spec: { containers: [{ name: 'inflate', resources: { limits } }] } } } },
    },
  );
  await world.scale('inflate', 6);
  await world.eventually(() => running(world, 'inflate')).toBe(6);
  // Slow boots, so that pods are observed while they wait.
  const { boots } = world.cloud.faults.current;
  world.cloud.faults.set({ capacity: [], boots: { ...boots, delay: slowBootMs } });
  await world.client.create(capacityBuffers, {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'default', finalizers: ['example.com/kept'] },
    spec: {
      provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
      scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'inflate' },
      percentage: 10,
    },
  });
  await world.scale('inflate', 30);
  await world.eventually(() => running(world, 'inflate')).toBe(30);
}

/** Nodes are consolidated while their termination fails at first. */
async function shrink(world: CloudWorld): Promise<void> {
  const refusal = { code: 'InternalError', message: 'An internal error has occurred', status: 500 };
  world.cloud.faults.set({ errors: [{ call: 'ec2:TerminateInstances', chance: 1, times: 20, ...refusal }] });
  await world.scale('inflate', 9);
  await world.eventually(async () => (await world.nodeClaims()).length).toBeLessThanOrEqual(4);
}

/** One instance fails its status check, and the hardware of another degrades. */
async function fallIll(world: CloudWorld): Promise<void> {
  await changePool(world, { disruption: { budgets: [{ nodes: '0' }] } });
  const [victim] = await world.nodeClaims();
  world.cloud.impair(victim?.status?.providerID?.split('/').at(-1) ?? '', 'instance');
  await logged(world, 'detected unhealthy instance owned by cluster');
  await world.eventually(() => running(world, 'inflate')).toBe(9);
  // Repair stops if too many nodes are unhealthy, and nodes being deleted count.
  await world.eventually(async () => (await world.nodeClaims()).filter(isGoing)).toEqual([]);
  await world.eventually(async () => (await world.nodes()).filter(isGoing)).toEqual([]);
  const [broken] = await world.nodes();
  const condition = {
    type: 'AcceleratedHardwareReady',
    status: 'False',
    reason: 'NvidiaXID79Error',
    message: 'GPU has fallen off the bus',
    lastTransitionTime: new Date(world.now() - longAgoMs).toISOString(),
  };
  await world.client.patch(
    kinds.node,
    { name: broken?.metadata?.name ?? '' },
    { type: 'strategic', body: { status: { conditions: [condition] } } },
    { subresource: 'status' },
  );
  await logged(world, 'deleting unhealthy node');
}

/** More pods, on spot instances. */
async function useSpot(world: CloudWorld): Promise<void> {
  await changePool(world, { template: { spec: { requirements: withSpot } } });
  await world.scale('inflate', 18);
  await world.eventually(() => running(world, 'inflate')).toBe(18);
}

/** Deletes everything, some of it while something else still blocks it. */
async function end(world: CloudWorld): Promise<void> {
  const buffer = { namespace: 'default', name: 'spare' };
  await world.client.delete(capacityBuffers, buffer);
  await world.pass(shortlyMs);
  await world.client.patch(capacityBuffers, buffer, {
    type: 'merge',
    body: { metadata: { finalizers: [] } },
  });
  await world.scale('inflate', 0);
  await world.client.delete(nodePools, { name: 'default' }, { propagationPolicy: 'Foreground' });
  await world.client.delete(ec2NodeClasses, { name: 'default' });
  await world.eventually(async () => (await world.client.list(ec2NodeClasses)).items.length).toBe(0);
  await world.pass(shortlyMs);
}

async function changePool(world: CloudWorld, spec: object): Promise<void> {
  await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body: { spec } });
}

async function logged(world: CloudWorld, words: string): Promise<void> {
  await world.eventually(async () => world.log.some(({ message }) => message === words)).toBe(true);
}

function isGoing({
  metadata,
}: {
  metadata?: { deletionTimestamp?: string | undefined } | undefined;
}): boolean {
  return metadata?.deletionTimestamp !== undefined;
}
