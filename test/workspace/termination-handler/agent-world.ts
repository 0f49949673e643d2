import { setImmediate } from 'node:timers/promises';
import type { LogFields } from '@karpenter/core/ports';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { MetricRegistry } from '@karpenter/kube/metrics';
import { startApiServer } from '@karpenter/sim/apiserver';
import {
  Agent,
  type AgentParts,
  readAgentSettings,
  readInstanceIdentity,
} from '@karpenter/termination-handler';
import { VirtualClock } from '@karpenter/testkit/clock';
import { RecordedEvents } from '@karpenter/testkit/controller-world';
import type { Node, Pod, Taint } from 'kubernetes-types/core/v1.js';
import { type MetadataWorld, startMetadataWorld } from './metadata-world.ts';

export const nodeName = 'node-a';

/** A cluster of one node, its metadata service and an agent. Time passes only through `pass`. */
export interface AgentWorld extends Pick<MetadataWorld, 'service' | 'change' | 'clock'> {
  readonly client: KubeClient;
  /** Evictions that the agent requested, by the name of the pod, refused ones included. */
  readonly evictions: readonly string[];
  readonly log: readonly { readonly message: string; readonly fields: LogFields }[];
  readonly recorder: RecordedEvents;
  readonly notifications: readonly Parameters<NonNullable<AgentParts['notify']>>[0][];
  /** Starts an agent with these flags; a second call is a restart. */
  startAgent(flags?: readonly string[], more?: Partial<AgentParts>): Promise<void>;
  /** Ends the agent; the error that ended it, if any. */
  stopAgent(): Promise<unknown>;
  /** Resolves when the agent has ended by itself. */
  readonly ended: Promise<unknown>;
  pass(milliseconds: number): Promise<void>;
  node(): Promise<Node>;
  isCordoned(): Promise<boolean>;
  /** Without the one that Kubernetes sets for a cordon. */
  taints(): Promise<readonly Taint[]>;
  labels(): Promise<Readonly<Record<string, string>>>;
  podNames(): Promise<readonly string[]>;
  createPod(name: string, more?: Partial<Pod>): Promise<Pod>;
  /** Ends all pods that are terminating, as their kubelet does. */
  endTerminatingPods(): Promise<void>;
  metrics(): string;
  stop(): Promise<void>;
}

export interface AgentWorldOptions {
  readonly node?: Partial<Node>;
}

/** Counts requests in flight, so that the clock never overtakes one. */
class InFlight {
  count = 0;

  async track<T>(work: Promise<T>): Promise<T> {
    this.count += 1;
    try {
      return await work;
    } finally {
      this.count -= 1;
    }
  }

  async idle(): Promise<void> {
    for (let quiet = 0; quiet < 6; ) {
      await setImmediate();
      quiet = this.count === 0 ? quiet + 1 : 0;
    }
  }
}

export async function startAgentWorld(options: AgentWorldOptions = {}): Promise<AgentWorld> {
  const clock = new VirtualClock();
  const server = await startApiServer({ clock });
  const client = connect(
    { server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) },
    { qps: 5_000, burst: 5_000 },
  );
  const metadata = await startMetadataWorld({ clock });
  const [evictions, log, notifications] = [
    [] as string[],
    [] as AgentWorld['log'][number][],
    [] as AgentWorld['notifications'][number][],
  ];
  const [inFlight, recorder, registry] = [new InFlight(), new RecordedEvents(), new MetricRegistry(clock)];
  const { metadata: meta, spec, ...rest } = options.node ?? {};
  await client.create(kinds.node, {
    metadata: { name: nodeName, labels: { 'kubernetes.io/hostname': nodeName }, ...meta },
    spec: { providerID: 'aws:///us-west-2a/i-0123456789abcdef0', ...spec },
    ...rest,
  });
  let stopped = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  const note = (message: string, fields: LogFields = {}) => void log.push({ message, fields });
  const parts = async (flags: readonly string[]): Promise<AgentParts> => ({
    client: trackedClient(client, inFlight, evictions),
    metadata: { read: (path, signal) => inFlight.track(metadata.client.read(path, signal)) },
    identity: await readInstanceIdentity(metadata.client),
    clock,
    log: { debug: note, info: note, error: note },
    meters: registry,
    recorder,
    notify: async (notification) => void notifications.push(notification),
    uptime: async () => 86_400_000,
    settings: readAgentSettings(
      [`--node-name=${nodeName}`, '--pod-name=agent', '--pod-namespace=kube-system', ...flags],
      {},
    ).settings,
  });
  const readNode = () => client.get(kinds.node, { name: nodeName });
  const world: AgentWorld = {
    ...metadata,
    client,
    evictions,
    log,
    recorder,
    notifications,
    async startAgent(flags = [], more = {}) {
      stopped = new AbortController();
      const agent = new Agent({ ...(await parts(flags)), ...more });
      ended = agent.run(stopped.signal).catch((error: unknown) => error);
      await inFlight.idle();
    },
    async stopAgent() {
      stopped.abort();
      return ended;
    },
    get ended() {
      return ended;
    },
    async pass(milliseconds) {
      const end = clock.now() + milliseconds;
      await inFlight.idle();
      for (let next = clock.nextWake; next !== undefined && next <= end; next = clock.nextWake) {
        await clock.advance(next - clock.now());
        await inFlight.idle();
      }
      await clock.advance(end - clock.now());
      await inFlight.idle();
    },
    node: readNode,
    isCordoned: async () => (await readNode()).spec?.unschedulable === true,
    taints: async () =>
      ((await readNode()).spec?.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/unschedulable'),
    labels: async () => (await readNode()).metadata?.labels ?? {},
    podNames: async () =>
      (await client.list(kinds.pod)).items.map(({ metadata: each }) => each?.name ?? '').toSorted(),
    createPod: (name, more = {}) => createPod(client, name, more),
    async endTerminatingPods() {
      const { items } = await client.list(kinds.pod);
      for (const { metadata: pod } of items) {
        if (pod?.deletionTimestamp === undefined) continue;
        const key = { namespace: pod.namespace ?? '', name: pod.name ?? '' };
        await client.delete(kinds.pod, key, { gracePeriodSeconds: 0 });
      }
    },
    metrics: () => [...registry.exposition()].join(''),
    async stop() {
      stopped.abort();
      await ended;
      await client.close();
      await metadata.service.stop();
      await server.stop();
    },
  };
  return world;
}

function trackedClient(client: KubeClient, inFlight: InFlight, evictions: string[]): AgentParts['client'] {
  return {
    get: (...args) => inFlight.track(client.get(...args)),
    find: (...args) => inFlight.track(client.find(...args)),
    list: (...args) => inFlight.track(client.list(...args)),
    patch: (...args) => inFlight.track(client.patch(...args)),
    evict: (pod, options) => {
      evictions.push(pod.name);
      return inFlight.track(client.evict(pod, options));
    },
  };
}

async function createPod(
  client: KubeClient,
  name: string,
  { metadata, spec, status }: Partial<Pod>,
): Promise<Pod> {
  const pod = await client.create(kinds.pod, {
    metadata: { namespace: 'default', name, labels: { app: name }, ...metadata },
    spec: { containers: [{ name: 'main', image: 'app' }], nodeName, ...spec },
  });
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...status };
  const key = { namespace: pod.metadata?.namespace ?? '', name };
  return client.patch(kinds.pod, key, { type: 'merge', body: { status: ready } }, { subresource: 'status' });
}
