import { setMaxListeners } from 'node:events';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { customResources } from '@karpenter/aws';
import { CodedError } from '@karpenter/core/errors';
import type { CustomResourceDefinition } from '@karpenter/core/schema';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { CacheSet } from '@karpenter/kube/cache';
import {
  type ClusterConfig,
  connect,
  type Kind,
  type KubeClient,
  kinds,
  tokenCredentials,
} from '@karpenter/kube/client';
import { type Clock, systemClock } from '@karpenter/kube/runtime';
import { FleetUsage, SimulatedContainers, startClusterControllers, startKubelets } from '@karpenter/sim';
import {
  type ApiServer,
  type DataDirectory,
  openDataDirectory,
  type PodContainers,
  startApiServer,
} from '@karpenter/sim/apiserver';
import { AccountFile, type Faults } from '@karpenter/sim/cloud';
import { nodeFileSystem, systemCode, writeFileAtomically } from '@karpenter/sim/durable-files';
import { unwritable } from '../file-errors.ts';
import { type SimulatedAccount, startSimulatedAccount } from '../simulated-account/index.ts';
import { accountRegion } from './account-region.ts';
import { installSamples } from './samples.ts';
import { systemNodes } from './system-nodes.ts';

export interface EmbeddedClusterOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The state lives in memory if undefined. The directory stays locked until the cluster stops. */
  readonly dataDir: string | undefined;
  /** Keeps what is readable of a damaged data directory instead of refusing to start. */
  readonly repair: boolean;
  /** Called with each thing that a repair could not keep. */
  readonly onNotice: (message: string) => void;
  /** Path to write the kubeconfig to. */
  readonly kubeconfig: string;
  readonly clusterName: string;
  /** Defaults to that of the data directory, else us-west-2. */
  readonly region?: string | undefined;
  readonly seed: number;
  readonly bootDelay: DurationMs;
  /** Skips the sample objects. */
  readonly isEmpty: boolean;
  /** Faults of the simulated cloud from the start. */
  readonly faults: Partial<Faults>;
  /** Called when the faults change, and with other messages about the simulated account. */
  readonly onFaults: (message: string) => void;
  /** Called with failures of the API server that no client request reports. */
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
  /** What runs in pods; defaults to containers that only have a log. */
  readonly containers?: PodContainers;
}

type EmbeddedClusterInput = Partial<EmbeddedClusterOptions> & Pick<EmbeddedClusterOptions, 'kubeconfig'>;

/** Defaults that suit tests: empty, in memory, on any free port, without faults. */
const defaultOptions = {
  port: 0,
  dataDir: undefined,
  repair: false,
  onNotice: () => undefined,
  clusterName: 'dev',
  seed: 1,
  bootDelay: durationMs(0),
  isEmpty: true,
  faults: {},
  onFaults: () => undefined,
  onError: () => undefined,
};

export interface EmbeddedCluster {
  readonly url: string;
  readonly config: ClusterConfig;
  readonly account: SimulatedAccount;
  stop(): Promise<void>;
}

/**
 * Starts a cluster in this process, without Karpenter itself: API server, kube-scheduler, built-in controllers,
 * kubelets and a simulated AWS account whose instances join as nodes. Resolves when the cluster is ready for use; on
 * failure it releases the data directory and rejects.
 */
export async function startEmbeddedCluster(wanted: EmbeddedClusterInput): Promise<EmbeddedCluster> {
  const options = { ...defaultOptions, ...wanted };
  // Takes the lock before reading or writing anything: another process may be using the directory.
  const directory = options.dataDir === undefined ? undefined : await openDataDirectory(options.dataDir);
  try {
    const cluster = await startInDirectory(options, directory);
    return { ...cluster, stop: () => cluster.stop().finally(() => directory?.close()) };
  } catch (error) {
    await directory?.close();
    throw error;
  }
}

async function startInDirectory(
  options: EmbeddedClusterOptions,
  directory: DataDirectory | undefined,
): Promise<EmbeddedCluster> {
  const usage = new FleetUsage();
  const { clusterName, repair } = options;
  const file = await directory?.using(() =>
    AccountFile.read({ directory: directory.path, clusterName, repair }),
  );
  const region = accountRegion(options.region, file?.saved?.cloud.world.region);
  const start = (port: number) =>
    startApiServer({
      port,
      metrics: usage,
      containers: options.containers ?? new SimulatedContainers(),
      clusterName: options.clusterName,
      clock: options.clock ?? systemClock,
      onError: options.onError,
      repair: options.repair,
      onNotice: options.onNotice,
      ...(directory === undefined ? {} : { dataDir: directory }),
    });
  const server = await (options.port === 0 ? startOnFormerPort(start, file) : start(options.port));
  try {
    await writeKubeconfig(options.kubeconfig, server.kubeconfig);
    await prepareFile(file, options);
    return await populate(server, { ...options, file, region }, usage);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Starts on the port of the last run, or on any port if another process has it. The user data of saved instances
 * contains the URL of the API server, which would be wrong on another port.
 */
async function startOnFormerPort(
  start: (port: number) => Promise<ApiServer>,
  file: AccountFile | undefined,
): Promise<ApiServer> {
  const endpoint = file?.saved?.cloud.world.cluster.endpoint;
  if (endpoint === undefined) return start(0);
  return start(Number(new URL(endpoint).port)).catch((error: unknown) => {
    if (error instanceof CodedError && error.code === 'port-in-use') return start(0);
    throw error;
  });
}

async function prepareFile(
  file: AccountFile | undefined,
  { clock = systemClock, onFaults }: EmbeddedClusterOptions,
): Promise<void> {
  const report = await file?.prepare(clock.now());
  if (report !== undefined) onFaults(report);
}

interface PopulateOptions extends EmbeddedClusterOptions {
  readonly file: AccountFile | undefined;
  readonly region: string;
}

async function populate(
  server: ApiServer,
  options: PopulateOptions,
  usage: FleetUsage,
): Promise<EmbeddedCluster> {
  const config = { server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) };
  // All simulated parts of the cluster share this client, while in a real cluster each has a rate limit of its own.
  const client = connect(config, { userAgent: 'karpenter-dev', qps: 100_000, burst: 100_000 });
  await installDefinitions(client);
  if (!options.isEmpty) await installSamples(client, options.clusterName);
  const { clock = systemClock, seed } = options;
  const ended = new AbortController();
  // Each cache listens on this signal; the default limit of 10 listeners would print a warning.
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock, signal: ended.signal });
  const controllers = startClusterControllers({ client, clock, caches, seed });
  const kubelets = startKubelets({ client, clock, caches });
  usage.fleet = kubelets.fleet;
  for (const node of systemNodes(options.region, options.bootDelay)) kubelets.fleet.start(node);
  const account = startSimulatedAccount({
    ...options,
    client,
    clock,
    fleet: kubelets.fleet,
    apiServer: server,
    configMaps: caches.of(kinds.configMap),
    nodes: caches.of(kinds.node),
  });
  return {
    url: server.url,
    config,
    account,
    // In reverse order of the start: each part still needs the API server while it stops.
    stop: async () => {
      await account.stop();
      await kubelets.stop();
      await controllers.stop();
      ended.abort();
      await client.close();
      await server.stop();
    },
  };
}

/** A kind of our own, because our type of definitions has readonly lists and the type of `kinds` does not. */
const definitionKind: Kind<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Applies the CRDs on every start, so that a data directory of an older version gets the current definitions. */
export async function installDefinitions(client: KubeClient): Promise<void> {
  for (const { definition } of customResources) {
    await client.apply(definitionKind, definition, {
      fieldManager: 'karpenter-dev',
      force: true,
    });
  }
}

async function writeKubeconfig(path: string, text: string): Promise<void> {
  try {
    await nodeFileSystem.makeDirectory(dirname(path));
    await writeFileAtomically(await linkTarget(path), text);
  } catch (cause) {
    throw unwritable(path, cause, 'choose another place for the kubeconfig with --kubeconfig');
  }
}

/** Resolves symbolic links: the atomic write renames a file into place, which would replace the link itself. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return path;
    throw error;
  }
}
