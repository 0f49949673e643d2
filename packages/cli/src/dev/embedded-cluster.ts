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
import { FleetUsage, startClusterControllers, startKubelets } from '@karpenter/sim';
import {
  type ApiServer,
  type DataDirectory,
  openDataDirectory,
  startApiServer,
} from '@karpenter/sim/apiserver';
import { AccountFile, type Faults } from '@karpenter/sim/cloud';
import { nodeFileSystem, systemCode, writeFileAtomically } from '@karpenter/sim/durable-files';
import { type SimulatedAccount, startSimulatedAccount } from '../simulated-account/index.ts';
import { freePort } from './free-port.ts';
import { installSamples } from './samples.ts';
import { systemNodes } from './system-nodes.ts';

export interface EmbeddedClusterOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** In memory only when left out. Locked until the cluster stops. */
  readonly dataDir: string | undefined;
  /** Keeps what can be read of a damaged data directory instead of refusing it. */
  readonly repair: boolean;
  /** Hears what a repair could not keep. */
  readonly onNotice: (message: string) => void;
  /** Where the kubeconfig goes. */
  readonly kubeconfig: string;
  readonly clusterName: string;
  readonly seed: number;
  readonly bootDelay: DurationMs;
  /** Without sample objects. */
  readonly isEmpty: boolean;
  /** What goes wrong in the simulated cloud from the start. */
  readonly faults: Partial<Faults>;
  /** Called when the faults change, and with what else there is to say about the simulated account. */
  readonly onFaults: (message: string) => void;
  /** Called with failures of the API server of which no client hears. */
  readonly onError: (error: unknown) => void;
  readonly clock?: Clock;
}

type EmbeddedClusterInput = Partial<EmbeddedClusterOptions> & Pick<EmbeddedClusterOptions, 'kubeconfig'>;

/** Where nothing else is said: empty, in memory, on any free port, and nothing goes wrong. */
const usualCluster = {
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
 * A cluster in this process, all but Karpenter itself: API server, scheduler, controllers, kubelets and an AWS account
 * for more of them. Resolves when it is ready for use.
 */
export async function startEmbeddedCluster(wanted: EmbeddedClusterInput): Promise<EmbeddedCluster> {
  const options = { ...usualCluster, ...wanted };
  // Before anything in it is read or written: another process may be at work there.
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
  const server = await startApiServer({
    port: options.port === 0 ? await formerPort(file) : options.port,
    metrics: usage,
    clusterName: options.clusterName,
    clock: options.clock ?? systemClock,
    onError: options.onError,
    repair: options.repair,
    onNotice: options.onNotice,
    ...(directory === undefined ? {} : { dataDir: directory }),
  });
  try {
    await writeKubeconfig(options.kubeconfig, server.kubeconfig);
    await prepareFile(file, options);
    return await populate(server, { ...options, file }, usage);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * User data of machines names the API server with its port, so that any free one is not as good as the one of the last
 * run.
 */
async function formerPort(file: AccountFile | undefined): Promise<number> {
  const endpoint = file?.saved?.cloud.world.cluster.endpoint;
  return endpoint === undefined ? 0 : freePort(Number(new URL(endpoint).port));
}

async function prepareFile(
  file: AccountFile | undefined,
  { clock = systemClock, onFaults }: EmbeddedClusterOptions,
): Promise<void> {
  const report = await file?.prepare(clock.now());
  if (report !== undefined) onFaults(report);
}

async function populate(
  server: ApiServer,
  options: EmbeddedClusterOptions & { readonly file: AccountFile | undefined },
  usage: FleetUsage,
): Promise<EmbeddedCluster> {
  const config = { server: server.url, ca: server.caPem, credentials: tokenCredentials(server.token) };
  // The simulated parts of the cluster share this client: each would have limits of its own.
  const client = connect(config, { userAgent: 'karpenter-dev', qps: 100_000, burst: 100_000 });
  await installDefinitions(client);
  if (!options.isEmpty) await installSamples(client, options.clusterName);
  const { clock = systemClock, seed } = options;
  const ended = new AbortController();
  // Each cache waits for the end.
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock, signal: ended.signal });
  const controllers = startClusterControllers({ client, clock, caches, seed });
  const kubelets = startKubelets({ client, clock, caches });
  usage.fleet = kubelets.fleet;
  for (const node of systemNodes(options.bootDelay)) kubelets.fleet.start(node);
  const account = startSimulatedAccount({
    ...options,
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

/** Our own type of definitions, whose lists cannot be written to. */
const definitionKind: Kind<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Written whenever the cluster starts, so that a new version of the program brings its definitions along. */
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
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError(
      'unwritable-file',
      `cannot write the kubeconfig to ${path}: ${why}; choose another place with --kubeconfig`,
      { details: { file: path }, cause },
    );
  }
}

/** The file that a link leads to is replaced, not the link. */
async function linkTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return path;
    throw error;
  }
}
