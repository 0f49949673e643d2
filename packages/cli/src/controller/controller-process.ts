import { setMaxListeners } from 'node:events';
import {
  type AwsProvider,
  awsControllers,
  awsErrorFields,
  awsProvider,
  awsRefreshControllers,
  ec2NodeClasses,
  fencedServices,
} from '@karpenter/aws';
import type { AwsServices } from '@karpenter/aws/ports';
import {
  Cluster,
  ClusterPlanning,
  type ControllerContext,
  controllers,
  currentController,
  type Endpoints,
  EventDecisions,
  errorFields,
  MeteredCloud,
  MetricRegistry,
  nodeClaims,
  nodeOverlays,
  nodePools,
  runAll,
  startEndpoints,
} from '@karpenter/controllers';
import { workloadTrim } from '@karpenter/controllers/planning';
import { operatorMetrics } from '@karpenter/core/api';
import type { DecisionLog } from '@karpenter/core/decisions';
import type { Log } from '@karpenter/core/ports';
import { stateKinds } from '@karpenter/core/state';
import { CacheSet } from '@karpenter/kube/cache';
import { type ClusterConfig, connect, type KubeClient, kinds } from '@karpenter/kube/client';
import {
  type Clock,
  CoreEventRecorder,
  type ElectionTimes,
  type EventRecorder,
  isFenceRefusal,
  type Runnable,
  type WriteFence,
} from '@karpenter/kube/runtime';
import { admissionHandlers, runAdmissionWebhook } from '../admission/index.ts';
import { awsVocabulary as vocabulary } from '../label-vocabulary.ts';
import { defaultConstraintsOf } from '../simulate/index.ts';
import { version } from '../version.ts';
import { countExchange } from './api-metrics.ts';
import { discoverConnection } from './cluster-connection.ts';
import { decisionEvents, decisionLog } from './decision-log.ts';
import { measureLeadership } from './leader-metrics.ts';
import { type LeaderElector, leaderElector } from './leading.ts';
import { optionalKinds } from './optional-kinds.ts';
import type { ProcessSettings } from './process-settings.ts';

export interface ControllerProcessOptions {
  readonly config: ClusterConfig;
  readonly settings: ProcessSettings;
  /** The AWS account: the real one, or one that is simulated. */
  readonly account: { readonly services: AwsServices; readonly region: string };
  readonly clock: Clock;
  /** How long leases last. Defaults to the times of Kubernetes' own components. */
  readonly election?: ElectionTimes;
  readonly log: Log;
  /** Where metrics go; defaults to a registry of its own. */
  readonly registry?: MetricRegistry;
  /** Ends the process: nothing new begins, what is under way is waited for. */
  readonly signal: AbortSignal;
  /** Where decisions go; defaults to a log in memory as the settings say. */
  readonly decisions?: DecisionLog;
  /** How the API server is reached; defaults to the network. */
  readonly connect?: typeof connect;
  /** The address that metrics and probes listen on; all addresses when left out. */
  readonly host?: string;
  /** Called when probes and metrics can be asked. */
  readonly onListening?: (endpoints: Endpoints) => void;
}

/**
 * Runs all controllers on one cluster until the signal is raised. With leader election, everything is read and made ready
 * before this process stands for election, and nothing is written unless it leads.
 */
export async function runControllerProcess(options: ControllerProcessOptions): Promise<void> {
  const { settings, log, signal, onListening, registry = new MetricRegistry(options.clock) } = options;
  const decisions = options.decisions ?? decisionLog({ settings, clock: options.clock });
  const ended = new AbortController();
  setMaxListeners(0, ended.signal, signal);
  const election = leaderElector(options);
  const client = clientOf(options, registry, election.fence);
  const account = fencedAccount(options.account, election.fence);
  const caches = new CacheSet({
    client,
    clock: options.clock,
    signal: ended.signal,
    trim: workloadTrim(settings),
    optional: optionalKinds({ settings, defaultSpread: defaultSpreadOf(settings) }, log),
    onError: (kind, error) => log.error('watch failed', { kind: kind.kind, ...errorFields(error) }),
  });
  // Before the election: a replica that waits for the lease is alive and ready, or a rollout would never finish.
  const endpoints = await startEndpoints({
    metricsPort: settings.metricsPort,
    healthPort: settings.healthProbePort,
    ...(options.host === undefined ? {} : { host: options.host }),
    registry,
    obstacle: () => (caches.synced ? undefined : `caches are not synced: ${caches.unsynced.join(', ')}`),
    isProfiling: settings.enableProfiling,
    decisions,
  });
  measureLeadership(registry, settings.leaderElectionName, election.fence);
  onListening?.(endpoints);
  try {
    await lead({ ...options, account, election, client, caches, registry, decisions, ended: ended.signal });
  } finally {
    ended.abort();
    await endpoints.stop();
    await client.close();
  }
}

function fencedAccount(
  account: ControllerProcessOptions['account'],
  fence: WriteFence | undefined,
): ControllerProcessOptions['account'] {
  return fence === undefined ? account : { ...account, services: fencedServices(account.services, fence) };
}

interface Parts extends Omit<ControllerProcessOptions, 'election'> {
  readonly election: LeaderElector;
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly registry: MetricRegistry;
  readonly decisions: DecisionLog;
  /** Raised after everything else has stopped. */
  readonly ended: AbortSignal;
}

async function lead(parts: Parts): Promise<void> {
  const { client, registry, election, clock, log, decisions, ended } = parts;
  registry.set(
    operatorMetrics.buildInfo,
    { version, goversion: process.version, goarch: process.arch, commit: '' },
    1,
  );
  const written = new CoreEventRecorder({
    client,
    clock,
    signal: ended,
    onError: (error) => {
      // A refusal of the fence is no failure: the lease was lost, and the next leader publishes what still holds.
      if (!isFenceRefusal(error)) log.error('event could not be written', errorFields(error));
    },
  });
  const recorder = new EventDecisions({ recorder: written, decisions, clock, ...decisionEvents });
  const overlays: Overlays = {};
  const provider = await startProvider(parts, recorder, overlays);
  const context = contextOf(parts, provider, recorder);
  overlays.planning = context.planning;
  const runnables = runnablesOf(parts, provider, context);
  const isReady = warmUp(parts, context);
  // Prices, instance types and the version are only read, so every replica refreshes them; a new leader plans at once.
  void run(parts, awsRefreshControllers(provider), { ready: Promise.resolve(), signal: ended });
  await besideAdmission(parts, provider, () =>
    election.lead(isReady, async (leading) => {
      await work(parts, { provider, runnables, isReady }, leading);
      // What was published while leading is written while leading.
      await recorder.flush();
    }),
  );
}

/** Serves the admission webhook from before the election until all work is done. */
async function besideAdmission(
  { account, ...options }: Parts,
  { instanceTypes }: AwsProvider,
  work: () => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const handlers = admissionHandlers({
    describedTypes: () => instanceTypes.allDescribed,
    region: account.region,
  });
  const webhook = runAdmissionWebhook({ ...options, ...handlers, signal: stop.signal });
  try {
    await work();
  } finally {
    stop.abort();
    await webhook;
  }
}

/** Resolves when everything is cached that controllers read: whoever takes over can begin at once. */
async function warmUp({ caches, signal, ended }: Parts, { cluster }: ControllerContext): Promise<void> {
  try {
    await Promise.all([cluster.follow(ended), caches.waitForSync(signal)]);
  } catch (error) {
    if (!signal.aborted && !ended.aborted) throw error;
  }
}

/** A launch sees types as plans do; there are plans only once this process leads. */
interface Overlays {
  planning?: ClusterPlanning;
}

async function startProvider(parts: Parts, events: EventRecorder, overlays: Overlays): Promise<AwsProvider> {
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

function runnablesOf(
  { caches, account, settings }: Parts,
  provider: AwsProvider,
  context: ControllerContext,
): readonly Runnable[] {
  const watched = {
    nodeClasses: caches.of(ec2NodeClasses),
    nodePools: caches.of(nodePools),
    nodeClaims: caches.of(nodeClaims),
    nodes: caches.of(kinds.node),
  };
  return [
    ...controllers(context),
    ...awsControllers({ ...context, caches: watched, provider, services: account.services, settings }),
  ];
}

function run(
  { clock, registry, log }: Parts,
  runnables: readonly Runnable[],
  { ready, signal }: { readonly ready: Promise<void>; readonly signal: AbortSignal },
): Promise<void> {
  return runAll(runnables, {
    clock,
    meters: registry,
    beforeScrape: (collect) => registry.beforeScrape(collect),
    log,
    signal,
    ready,
    causeFields: awsErrorFields,
  });
}

interface Work {
  readonly provider: AwsProvider;
  readonly runnables: readonly Runnable[];
  readonly isReady: Promise<void>;
}

async function work(
  parts: Parts,
  { provider, runnables, isReady }: Work,
  signal: AbortSignal,
): Promise<void> {
  provider.takeOver(parts.election.timeSinceOtherWrites);
  const parallel = [isReady, provider.run(signal), run(parts, runnables, { ready: isReady, signal })];
  // What the end interrupts has not failed.
  const unlessEnded = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  await Promise.all(parallel.map((part) => part.catch(unlessEnded)));
}

function contextOf(parts: Parts, provider: AwsProvider, recorder: EventRecorder) {
  const { client, caches, clock, log, settings, decisions, registry: meters } = parts;
  const gated = stateKinds.filter((kind) => kind !== 'NodeOverlay' || settings.featureGates.NodeOverlay);
  const cluster = new Cluster({ caches, clock, kinds: gated });
  const cloud = new MeteredCloud(provider.cloud, { meters, clock, controller: currentController });
  const defaultSpread = defaultSpreadOf(settings);
  const base = { client, caches, cluster, cloud, recorder, meters, log, clock, settings, defaultSpread };
  const planning = new ClusterPlanning({ ...base, vocabulary });
  planning.start();
  return { ...base, vocabulary, planning, decisions };
}

function defaultSpreadOf({ schedulerConfig }: ProcessSettings): ControllerContext['defaultSpread'] {
  return schedulerConfig === '' ? [] : defaultConstraintsOf(schedulerConfig);
}

function clientOf(
  { config, settings, clock, connect: reach = connect }: ControllerProcessOptions,
  registry: MetricRegistry,
  fence: WriteFence | undefined,
): KubeClient {
  return reach(config, {
    clock,
    userAgent: `karpenter/${version}`,
    qps: settings.kubeClientQps,
    burst: settings.kubeClientBurst,
    ...(fence && { fence }),
    onExchange: (exchange) => countExchange(registry, exchange),
  });
}

async function serverVersion(client: KubeClient): Promise<{ major: string; minor: string }> {
  const { major, minor } = (await client.request('GET', '/version')) as { major: string; minor: string };
  return { major, minor };
}
