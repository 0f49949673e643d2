import { setMaxListeners } from 'node:events';
import {
  type AwsProvider,
  awsControllers,
  awsErrorFields,
  awsProvider,
  ec2NodeClasses,
} from '@karpenter/aws';
import type { AwsServices } from '@karpenter/aws/ports';
import {
  Cluster,
  ClusterPlanning,
  type ControllerContext,
  controllers,
  currentController,
  type Endpoints,
  errorFields,
  MeteredCloud,
  MetricRegistry,
  measureProcess,
  nodeClaims,
  nodeOverlays,
  nodePools,
  runAll,
  startEndpoints,
} from '@karpenter/controllers';
import { operatorMetrics } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { stateKinds } from '@karpenter/core/state';
import { CacheSet } from '@karpenter/kube/cache';
import { type ClusterConfig, connect, type KubeClient, kinds } from '@karpenter/kube/client';
import { type Clock, CoreEventRecorder } from '@karpenter/kube/runtime';
import { awsVocabulary as vocabulary } from '../label-vocabulary.ts';
import { defaultConstraintsOf } from '../simulate/scheduler-config.ts';
import { version } from '../version.ts';
import { countExchange } from './api-metrics.ts';
import { discoverConnection } from './cluster-connection.ts';
import { type LeadOptions, whileLeading } from './leading.ts';
import type { ProcessSettings } from './process-settings.ts';

export interface ControllerProcessOptions {
  readonly config: ClusterConfig;
  readonly settings: ProcessSettings;
  /** The AWS account: the real one, or one that is simulated. */
  readonly account: { readonly services: AwsServices; readonly region: string };
  readonly clock: Clock;
  readonly log: Log;
  /** Where metrics go; defaults to a registry of its own. */
  readonly registry?: MetricRegistry;
  /** Ends the process: nothing new begins, what is under way is waited for. */
  readonly signal: AbortSignal;
  /** How the API server is reached; defaults to the network. */
  readonly connect?: typeof connect;
  /** The address that metrics and probes listen on; all addresses when left out. */
  readonly host?: string;
  /** Called when probes and metrics can be asked. */
  readonly onListening?: (endpoints: Endpoints) => void;
}

/** Runs all controllers on one cluster until the signal is raised. */
export async function runControllerProcess(options: ControllerProcessOptions): Promise<void> {
  const { settings, log, signal, onListening, registry = new MetricRegistry(options.clock) } = options;
  const ended = new AbortController();
  setMaxListeners(0, ended.signal, signal);
  const client = clientOf(options, registry);
  const caches = new CacheSet({
    client,
    clock: options.clock,
    signal: ended.signal,
    onError: (kind, error) => log.error('watch failed', { kind: kind.kind, ...errorFields(error) }),
  });
  const endpoints = await startEndpoints({
    metricsPort: settings.metricsPort,
    healthPort: settings.healthProbePort,
    ...(options.host === undefined ? {} : { host: options.host }),
    registry,
    obstacle: () => (caches.synced ? undefined : `caches are not synced: ${caches.unsynced.join(', ')}`),
    isProfiling: settings.enableProfiling,
  });
  const stopMeasuring = measureProcess(registry);
  onListening?.(endpoints);
  try {
    await lead({ ...options, client, caches, registry, ended: ended.signal });
  } finally {
    ended.abort();
    stopMeasuring();
    await endpoints.stop();
    await client.close();
  }
}

interface Parts extends ControllerProcessOptions {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly registry: MetricRegistry;
  /** Raised after everything else has stopped. */
  readonly ended: AbortSignal;
}

async function lead(parts: Parts): Promise<void> {
  const { client, registry, settings, config, clock, log, signal, ended } = parts;
  registry.set(
    operatorMetrics.buildInfo,
    { version, goversion: process.version, goarch: process.arch, commit: '' },
    1,
  );
  const recorder = new CoreEventRecorder({
    client,
    clock,
    signal: ended,
    onError: (error) => log.error('event could not be written', errorFields(error)),
  });
  const overlays: Overlays = {};
  const provider = await startProvider(parts, recorder, overlays);
  const election: LeadOptions = { config, settings, clock, log, signal };
  await whileLeading(election, (leading) => {
    const context = contextOf(parts, provider, recorder);
    overlays.planning = context.planning;
    return work(parts, provider, context, leading);
  });
  await recorder.flush();
}

/** A launch sees types as plans do; there are plans only once this process leads. */
interface Overlays {
  planning?: ClusterPlanning;
}

async function startProvider(
  parts: Parts,
  events: CoreEventRecorder,
  overlays: Overlays,
): Promise<AwsProvider> {
  const { client, caches, registry, settings, account, config, clock, log } = parts;
  const { services, region } = account;
  const connection = await discoverConnection({ eks: services.eks, settings, config, client, log });
  const overlayCache = settings.featureGates.NodeOverlay ? caches.of(nodeOverlays) : undefined;
  const provider = awsProvider({
    services,
    region,
    settings,
    cluster: () => connection,
    serverVersion: () => serverVersion(client),
    nodeClasses: caches.of(ec2NodeClasses),
    nodePools: caches.of(nodePools),
    nodeClaims: caches.of(nodeClaims),
    ...(overlayCache === undefined ? {} : { nodeOverlays: () => overlayCache.list() }),
    overlaid: (nodePool, types) => overlays.planning?.overlaid(nodePool, types) ?? types,
    events,
    clock,
    log,
    meters: registry,
  });
  await provider.start();
  return provider;
}

async function work(
  parts: Parts,
  provider: AwsProvider,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const { clock, registry, log, caches, account, settings } = parts;
  const watched = {
    nodeClasses: caches.of(ec2NodeClasses),
    nodePools: caches.of(nodePools),
    nodeClaims: caches.of(nodeClaims),
    nodes: caches.of(kinds.node),
  };
  const runnables = [
    ...controllers(context),
    ...awsControllers({ ...context, caches: watched, provider, services: account.services, settings }),
  ];
  const following = context.cluster.follow(signal);
  const parallel = [
    following,
    provider.run(signal),
    runAll(runnables, {
      clock,
      meters: registry,
      beforeScrape: (collect) => registry.beforeScrape(collect),
      log,
      signal,
      ready: following,
      causeFields: awsErrorFields,
    }),
  ];
  // What the end interrupts has not failed.
  const unlessEnded = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  await Promise.all(parallel.map((part) => part.catch(unlessEnded)));
}

function contextOf(parts: Parts, provider: AwsProvider, recorder: CoreEventRecorder) {
  const { client, caches, clock, log, settings, registry: meters } = parts;
  const gated = stateKinds.filter((kind) => kind !== 'NodeOverlay' || settings.featureGates.NodeOverlay);
  const cluster = new Cluster({ caches, clock, kinds: gated });
  const cloud = new MeteredCloud(provider.cloud, { meters, clock, controller: currentController });
  const defaultSpread = settings.schedulerConfig === '' ? [] : defaultConstraintsOf(settings.schedulerConfig);
  const base = { client, caches, cluster, cloud, recorder, meters, log, clock, settings, defaultSpread };
  return { ...base, vocabulary, planning: new ClusterPlanning({ ...base, vocabulary }) };
}

function clientOf(
  { config, settings, clock, connect: reach = connect }: ControllerProcessOptions,
  registry: MetricRegistry,
): KubeClient {
  return reach(config, {
    clock,
    userAgent: `karpenter/${version}`,
    qps: settings.kubeClientQps,
    burst: settings.kubeClientBurst,
    onExchange: (exchange) => countExchange(registry, exchange),
  });
}

async function serverVersion(client: KubeClient): Promise<{ major: string; minor: string }> {
  const { major, minor } = (await client.request('GET', '/version')) as { major: string; minor: string };
  return { major, minor };
}
