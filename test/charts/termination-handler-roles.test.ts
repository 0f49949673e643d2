import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type InstanceMetadata, type MetadataService, startMetadataService } from '@karpenter/sim/metadata';
import { agentMain } from '@karpenter/termination-handler';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditedRequests } from './audited-requests.ts';
import { chartPaths } from './charts.ts';
import { helmFor } from './helm.ts';
import { withValuesFile } from './rendered-chart.ts';

const [namespace, account, nodeName, instanceId] = [
  'kube-system',
  'node-termination-handler',
  'node-a',
  'i-1',
];
const patience = { timeout: 120_000, interval: 200 };
/** The binding of the chart, and those with which every account may read versions and what is served. */
const expectedBinding =
  /^RBAC: allowed by ClusterRoleBinding "(node-termination-handler|system:discovery|system:public-info-viewer)"/;

let plane: ControlPlane;
let admin: KubeClient;
let metadata: InstanceMetadata;
let service: MetadataService;
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'handler-'));
  plane = await startControlPlane({ auditedUser: `system:serviceaccount:${namespace}:${account}` });
  admin = connect({ server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) });
  metadata = {
    accountId: '123456789012',
    region: 'us-west-2',
    instanceId,
    instanceType: 'm5.large',
    imageId: 'ami-1',
    architecture: 'x86_64',
    lifeCycle: 'spot',
    zone: 'us-west-2a',
    privateIp: '10.0.0.7',
    hostname: nodeName,
    maintenance: [],
  };
  service = await startMetadataService({ clock: systemClock, instance: () => metadata });
}, 120_000);

afterEach(async () => {
  await service.stop();
  await admin.close();
  await plane.stop();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

/** Installs the chart; nothing can run its image here, so its DaemonSet selects no node. */
async function installChart(values: object): Promise<void> {
  const helm = await helmFor(plane.kubeconfigPath);
  const all = { instanceMetadataURL: service.urlOf(instanceId), nodeSelector: { none: 'such' }, ...values };
  await withValuesFile(all, (file) =>
    helm('install', account, chartPaths.terminationHandler, `--namespace=${namespace}`, '--values', file),
  );
  await helm.close();
}

/** Starts the agent with the variables of the DaemonSet and a token of its account, as its pod would. */
async function startAgent() {
  const { spec } = await admin.get(kinds.daemonSet, { namespace, name: account });
  const variables = spec?.template.spec?.containers[0]?.env ?? [];
  const given = variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]));
  const KUBECONFIG = await kubeconfig();
  const env = {
    ...Object.fromEntries(given),
    NODE_NAME: nodeName,
    POD_NAME: 'agent',
    NAMESPACE: namespace,
    KUBECONFIG,
  };
  const stopped = new AbortController();
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  const ended = agentMain([], {
    env: { ...env, UPTIME_FROM_FILE: '' },
    clock: systemClock,
    random: Math.random,
    write,
    writeError: write,
    signal: stopped.signal,
    version: 'test',
  });
  return {
    lines,
    async stop() {
      stopped.abort();
      return ended;
    },
  };
}

async function kubeconfig(): Promise<string> {
  const { stdout } = await plane.kubectl(['create', 'token', account, `--namespace=${namespace}`]);
  const cluster = {
    server: plane.url,
    'certificate-authority-data': Buffer.from(plane.caPem).toString('base64'),
  };
  const path = join(directory, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [{ name: 'a', cluster }],
    users: [{ name: 'a', user: { token: stdout.trim() } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}

async function createNode(): Promise<void> {
  await admin.create(kinds.node, {
    metadata: { name: nodeName, labels: { 'kubernetes.io/hostname': nodeName } },
    spec: { providerID: `aws:///us-west-2a/${instanceId}` },
  });
  const room = { cpu: '2', memory: '8Gi', pods: '29' };
  const body = { status: { capacity: room, allocatable: room } };
  await admin.patch(kinds.node, { name: nodeName }, { type: 'merge', body }, { subresource: 'status' });
}

async function createPod(name: string): Promise<void> {
  await admin.create(kinds.pod, {
    metadata: { namespace: 'default', name, labels: { app: name } },
    spec: {
      nodeName,
      containers: [{ name: 'main', image: 'app' }],
      automountServiceAccountToken: false,
      tolerations: [{ operator: 'Exists' }],
    },
  });
}

const podNames = async () =>
  (await admin.list(kinds.pod, { namespace: 'default' })).items.map(({ metadata: each }) => each?.name);
const isEnding = async (name: string) =>
  (await admin.find(kinds.pod, { namespace: 'default', name }))?.metadata?.deletionTimestamp !== undefined;
const eventReasons = async () => (await admin.list(kinds.event)).items.map(({ reason }) => reason);

it('drains a node with the roles of the chart alone', async () => {
  await installChart({ emitKubernetesEvents: true, taintNode: true, excludeFromLoadBalancers: true });
  await createNode();
  await createPod('web');
  await admin.create(kinds.daemonSet, {
    metadata: { namespace: 'default', name: 'logs' },
    spec: {
      selector: { matchLabels: { name: 'logs' } },
      template: {
        metadata: { labels: { name: 'logs' } },
        spec: { containers: [{ name: 'main', image: 'app' }], tolerations: [{ operator: 'Exists' }] },
      },
    },
  });
  const boundPods = async () =>
    (await admin.list(kinds.pod, { namespace: 'default', fieldSelector: `spec.nodeName=${nodeName}` })).items;
  await expect.poll(async () => (await boundPods()).length, patience).toBe(2);
  const agent = await startAgent();
  await expect.poll(() => agent.lines.join(''), patience).toContain('started monitoring for events');
  metadata = { ...metadata, spotAction: { action: 'terminate', at: Date.now() + 120_000 } };
  await expect.poll(() => isEnding('web'), patience).toBe(true);
  const { spec, metadata: meta } = await admin.get(kinds.node, { name: nodeName });
  expect(spec?.unschedulable).toBe(true);
  expect(spec?.taints?.map(({ key }) => key)).toContain('aws-node-termination-handler/spot-itn');
  expect(meta?.labels).toMatchObject({
    'node.kubernetes.io/exclude-from-external-load-balancers': 'aws-node-termination-handler',
  });
  await admin.delete(kinds.pod, { namespace: 'default', name: 'web' }, { gracePeriodSeconds: 0 });
  await expect.poll(() => agent.lines.join(''), patience).toContain('cordon-and-drain of the node succeeded');
  await expect
    .poll(eventReasons, patience)
    .toEqual(expect.arrayContaining(['SpotInterruption', 'PodEviction', 'CordonAndDrain']));
  expect(await agent.stop()).toBe(0);
  expect(await podNames()).toEqual([expect.stringMatching(/^logs-/)]);
  const requests = await auditedRequests(plane.directory);
  expect(requests.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['patch nodes', 'create pods/eviction', 'get apps/daemonsets', 'create events']),
  );
  expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
  expect(requests.filter(({ reason }) => !expectedBinding.test(reason))).toEqual([]);
}, 600_000);

it('takes a cordon back, and leaves a node of Karpenter alone, with the roles of the chart alone', async () => {
  await installChart({ enableRebalanceMonitoring: true, rebalanceCooldown: 0 });
  await createNode();
  metadata = { ...metadata, rebalanceNoticeAt: Date.now() };
  const agent = await startAgent();
  const isCordoned = async () =>
    (await admin.get(kinds.node, { name: nodeName })).spec?.unschedulable === true;
  await expect.poll(isCordoned, patience).toBe(true);
  service.faults.set({ path: 'recommendations/rebalance', status: 404 });
  await expect.poll(isCordoned, patience).toBe(false);
  const labels = { 'karpenter.sh/nodepool': 'default' };
  await admin.patch(kinds.node, { name: nodeName }, { type: 'merge', body: { metadata: { labels } } });
  metadata = { ...metadata, spotAction: { action: 'terminate', at: Date.now() + 60_000 } };
  await expect.poll(() => agent.lines.join(''), patience).toContain('leaving the node to the controller');
  expect(await isCordoned()).toBe(false);
  expect(await agent.stop()).toBe(0);
  const requests = await auditedRequests(plane.directory);
  expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
}, 600_000);
