import {
  connect,
  isNotFound,
  type Kind,
  type KubeClient,
  type KubeObject,
  kinds,
  tokenCredentials,
} from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type Running, startScheduler } from '@karpenter/sim';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Situation, situations } from './scheduler-situations.ts';

const namespace = 'situations';
const schedulerName = 'simulated-scheduler';
const patience = { timeout: 30_000, interval: 50 };

let plane: ControlPlane;
let client: KubeClient;
let scheduler: Running;

beforeAll(async () => {
  plane = await startControlPlane({ components: ['kube-scheduler'] });
  client = connect({ server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) });
  scheduler = startScheduler({ client, clock: systemClock, schedulerName });
  await client.create(kinds.namespace, { metadata: { name: namespace } });
  await client.create(kinds.serviceAccount, { metadata: { name: 'default', namespace } });
}, 120_000);

afterAll(async () => {
  await scheduler.stop();
  await client.close();
  await plane.stop();
});

/** The server taints new nodes as not ready, and nothing else here removes the taint. */
async function createNode(node: Node): Promise<void> {
  const created = await client.create(kinds.node, node);
  const taints = (created.spec?.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/not-ready');
  await client.patch(
    kinds.node,
    { name: node.metadata?.name ?? '' },
    { type: 'merge', body: { spec: { taints } } },
  );
}

async function withStatus<T extends KubeObject & { readonly status?: object }>(
  kind: Kind<T>,
  object: T,
): Promise<void> {
  const created = await client.create(kind, object);
  if (object.status === undefined) return;
  const key = { name: created.metadata?.name ?? '', ...(kind.namespaced && { namespace }) };
  await client.patch(
    kind,
    key,
    { type: 'merge', body: { status: object.status } },
    { subresource: 'status' },
  );
}

const inNamespace = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

async function setUp(situation: Situation): Promise<void> {
  for (const priority of situation.priorities ?? []) await client.create(kinds.priorityClass, priority);
  for (const csiNode of situation.csiNodes ?? []) await client.create(kinds.csiNode, csiNode);
  for (const node of situation.nodes) await createNode(node);
  for (const storageClass of situation.classes ?? []) await client.create(kinds.storageClass, storageClass);
  for (const volume of situation.volumes ?? []) await client.create(kinds.persistentVolume, volume);
  for (const claim of situation.claims ?? [])
    await withStatus(kinds.persistentVolumeClaim, inNamespace(claim));
  for (const pod of situation.running ?? []) await client.create(kinds.pod, inNamespace(pod));
}

function pendingPod({ pending, labels = {} }: Situation, name: string): Pod {
  const spec = name === 'ours' ? { ...pending, schedulerName } : pending;
  return { metadata: { name, namespace, labels: { ...labels, asks: name } }, spec };
}

async function clear(): Promise<void> {
  const now = { gracePeriodSeconds: 0 };
  await client.deleteAll(kinds.pod, { namespace }, now);
  await client.deleteAll(kinds.persistentVolumeClaim, { namespace }, now);
  await client.deleteAll(kinds.persistentVolume, {}, now);
  await client.deleteAll(kinds.storageClass, {}, now);
  await client.deleteAll(kinds.csiNode, {}, now);
  await client.deleteAll(kinds.node, {}, now);
  for (const { metadata } of (await client.list(kinds.priorityClass)).items) {
    const name = metadata?.name ?? '';
    if (!name.startsWith('system-')) await client.delete(kinds.priorityClass, { name });
  }
  for (const kind of [kinds.persistentVolumeClaim, kinds.persistentVolume]) await dropFinalizers(kind);
}

/** The controllers that would release claims and volumes do not run here. */
async function dropFinalizers(kind: Kind): Promise<void> {
  for (const { metadata } of (await client.list(kind)).items) {
    const key = { name: metadata?.name ?? '', ...(metadata?.namespace && { namespace: metadata.namespace }) };
    const patch = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    await client.patch(kind, key, patch).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function messageOf(name: string): Promise<string> {
  const { status } = await client.get(kinds.pod, { namespace, name });
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return condition?.status === 'False' && condition.reason === 'Unschedulable'
    ? (condition.message ?? '')
    : '';
}

type Said = Readonly<Record<'theirs' | 'ours', string>>;

/** Creates a pod for each scheduler, and waits for the message of each. */
async function askBoth(situation: Situation): Promise<Said> {
  await client.deleteAll(kinds.pod, { namespace, labelSelector: 'asks' }, { gracePeriodSeconds: 0 });
  for (const name of ['theirs', 'ours']) await client.create(kinds.pod, pendingPod(situation, name));
  for (const name of ['theirs', 'ours']) await expect.poll(() => messageOf(name), patience).not.toBe('');
  return { theirs: await messageOf('theirs'), ours: await messageOf('ours') };
}

const maxTries = 10;

describe('the simulated scheduler says the same as the real one about', () => {
  it.each(situations)('$title', async (situation) => {
    onTestFinished(clear);
    await setUp(situation);
    const isSettled = ({ theirs, ours }: Said) => ours === theirs && theirs.includes(situation.says);
    // Either scheduler may have tried before it knew all nodes, and retries only for nodes that would help
    // the pod.
    let said = await askBoth(situation);
    for (let tries = 1; tries < maxTries && !isSettled(said); tries += 1) said = await askBoth(situation);
    expect(said.theirs).toContain(situation.says);
    expect(said.ours).toBe(said.theirs);
  });
});
