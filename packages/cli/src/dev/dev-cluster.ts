import { type Endpoints, errorFields, JsonLog, type JsonLogOptions } from '@karpenter/controllers';
import type { DecisionLog } from '@karpenter/core/decisions';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import { onDemandPrice } from '@karpenter/ec2-catalogue';
import { systemClock } from '@karpenter/kube/runtime';
import { type Faults, parseFaults } from '@karpenter/sim/cloud';
import {
  decisionLog,
  logOutput,
  type ProcessSettings,
  pageHosts,
  runControllerProcess,
} from '../controller/index.ts';
import { openSavedLog, type SavedLog } from '../decision-files/index.ts';
import { loggedDecisions } from '../page-server/index.ts';
import { LogReader } from '../readable-log/index.ts';
import { readFaultFile, type SimulatedAccount } from '../simulated-account/index.ts';
import type { Terminal } from '../terminal.ts';
import { colourDepth } from '../view/index.ts';
import { type DevAwsAddress, withAwsEndpoint } from './dev-aws-endpoint.ts';
import { startDevMetadata } from './dev-metadata.ts';
import { startDevPage } from './dev-page.ts';
import {
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  startEmbeddedCluster,
} from './embedded-cluster.ts';
import { installKarpenterPod, karpenterContainers } from './karpenter-pod.ts';

/** Metrics and probes of a development cluster must not be reachable from other hosts. */
const loopback = '127.0.0.1';

/** Lines for people or for programs. */
export type LogFormat = 'text' | 'json';

export interface DevClusterOptions
  extends Omit<EmbeddedClusterOptions, 'faults' | 'onFaults' | 'onError' | 'onNotice'> {
  readonly faultsFile: string | undefined;
  readonly settings: ProcessSettings;
  /** About settings that were ignored. */
  readonly warnings?: readonly string[];
  readonly logFormat: LogFormat;
  /** Without it there is no page. */
  readonly page?: DevPagePlace;
  /** Where instance metadata is served, 0 for any free port; without it there is none. */
  readonly metadataPort?: number;
  /** Where the simulated account is served in AWS' protocols, 0 for any free port; without it it is not. */
  readonly awsPort?: number;
}

/** Where the page is served from. */
export interface DevPagePlace {
  /** 0 for any free one. */
  readonly port: number;
  /** Whether any other will do if that one is taken. */
  readonly orAnyPort: boolean;
  /** Of the built page. */
  readonly directory: string;
}

export interface DevCluster {
  readonly url: string;
  /** The address of the page, or the sentence that says why there is none; absent where none was asked for. */
  readonly page?: { readonly url: string } | { readonly problem: string };
  readonly metricsUrl: string;
  /** The address of instance metadata, to which the ID of an instance is added; absent where none was asked for. */
  readonly metadataUrl?: string;
  /** Absent if the endpoint was not requested. */
  readonly aws?: DevAwsAddress;
  /** What the controllers decide, with what is saved in the data directory. */
  readonly decisions: DecisionLog;
  /** Rejects when the controllers fail; never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Starts everything in one process: the embedded cluster, the simulated AWS account, and the controllers exactly as on
 * a real cluster. Resolves when the controllers serve their metrics; if they fail before that, it stops the embedded
 * cluster and rejects.
 */
export async function startDevCluster(options: DevClusterOptions, terminal: Terminal): Promise<DevCluster> {
  let cluster: EmbeddedCluster | undefined;
  const { log: podLog, containers } = karpenterContainers(systemClock);
  const show = lineWriter(options, terminal, () => cluster?.account);
  const log = new JsonLog({
    level: options.settings.logLevel,
    now: () => systemClock.now(),
    write: (line, facts) => {
      podLog.append(line);
      show(line, facts);
    },
  });
  for (const warning of options.warnings ?? []) log.info('setting ignored', { warning });
  const faults = await faultsIn(options.faultsFile);
  cluster = await startEmbeddedCluster({
    ...options,
    containers,
    faults,
    onFaults: (message) => log.info(message),
    onError: (error) => log.error('the API server goes on after a failure', errorFields(error)),
    onNotice: (message) => terminal.out(`not kept: ${message}\n`),
  });
  const [running, reports] = [cluster, { log, terminal }];
  const started = installKarpenterPod(cluster.config).then(() => startControllers(running, options, reports));
  const dev = await started.catch(async (error: unknown) => {
    // The cluster holds ports, timers and the lock of the data directory, which would outlive the failed start.
    await running.stop();
    throw error;
  });
  const served = await withAwsEndpoint(dev, cluster.account, options.awsPort);
  return withPage(await withMetadata(served, cluster, options), cluster, options);
}

async function withMetadata(
  dev: DevCluster,
  { account }: EmbeddedCluster,
  { metadataPort }: DevClusterOptions,
): Promise<DevCluster> {
  if (metadataPort === undefined) return dev;
  const metadata = await startDevMetadata(account, metadataPort).catch(async (error: unknown) => {
    await dev.stop();
    throw error;
  });
  const stop = async () => {
    await metadata.stop();
    await dev.stop();
  };
  return { ...dev, metadataUrl: metadata.url, stop };
}

/** JSON lines as they are, or a readable line for those that a person cares about. */
function lineWriter(
  { settings, logFormat }: DevClusterOptions,
  terminal: Terminal,
  account: () => SimulatedAccount | undefined,
): JsonLogOptions['write'] {
  const write = logOutput(settings.logOutputPaths, terminal);
  if (logFormat === 'json') return write;
  const reader = new LogReader({
    level: settings.logLevel,
    isColoured: terminal.isScreen === true && colourDepth(process.env) !== 'none',
    priceOf: ({ instanceType, capacityType, zone }) =>
      capacityType === 'spot'
        ? account()?.cloud.prices.at(instanceType, zone, systemClock.now())
        : onDemandPrice(instanceType, account()?.cloud.world.region),
    write,
  });
  return (line, facts) => reader.read(line, facts);
}

/** A checkout without a built page still runs the cluster; anything else that is wrong with the page stops it. */
async function withPage(
  dev: DevCluster,
  cluster: EmbeddedCluster,
  { page: place, clusterName, kubeconfig, settings }: DevClusterOptions,
): Promise<DevCluster> {
  if (place === undefined) return dev;
  try {
    const decisions = loggedDecisions(dev.decisions, new URL(dev.metricsUrl).origin);
    const shown = { ...place, ...pageHosts(settings), clusterName, kubeconfig, cluster, decisions };
    const start = (port: number) => startDevPage({ ...shown, port, clock: systemClock });
    // Asking beforehand whether the port is free would not do: another process may take it in between.
    const page = await start(place.port).catch((error: unknown) => {
      if (place.orAnyPort && hasErrorCode(error, 'port-in-use')) return start(0);
      throw error;
    });
    const stop = async () => {
      await page.stop();
      await dev.stop();
    };
    return { ...dev, page: { url: page.url }, stop };
  } catch (error) {
    if (hasErrorCode(error, 'page-not-built')) return { ...dev, page: { problem: error.message } };
    await dev.stop();
    throw error;
  }
}

function hasErrorCode(error: unknown, code: CodedError['code']): error is CodedError {
  return error instanceof CodedError && error.code === code;
}

interface Reports {
  readonly log: Log;
  readonly terminal: Terminal;
}

/** The log of decisions, and its files if there is a data directory. */
async function openDecisions(
  settings: ProcessSettings,
  { dataDir }: DevClusterOptions,
  { log, terminal }: Reports,
): Promise<{ readonly decisions: DecisionLog; readonly saved: SavedLog | undefined }> {
  if (dataDir === undefined || settings.decisionLogSize === 0)
    return { decisions: decisionLog({ settings, clock: systemClock }), saved: undefined };
  const saved = await openSavedLog(dataDir, {
    onError: (error) => log.error('a decision could not be saved', errorFields(error)),
    onNotice: (message) => terminal.out(`not kept: ${message}\n`),
  });
  const keepsClusters = settings.decisionLogClusters > 0;
  const clusters = keepsClusters ? { clusters: saved.clusters } : {};
  const decisions = decisionLog({ settings, clock: systemClock, ...clusters });
  await saved.attach(decisions);
  return { decisions, saved };
}

async function startControllers(
  cluster: EmbeddedCluster,
  options: DevClusterOptions,
  reports: Reports,
): Promise<DevCluster> {
  const { log } = reports;
  const { settings } = options;
  const { decisions, saved } = await openDecisions(settings, options, reports);
  const ended = new AbortController();
  let resolveEndpoints: (endpoints: Endpoints) => void = () => undefined;
  const listening = new Promise<Endpoints>((resolve) => {
    resolveEndpoints = resolve;
  });
  const controllers = runControllerProcess({
    config: cluster.config,
    settings,
    decisions,
    account: cluster.account,
    host: loopback,
    clock: systemClock,
    log,
    signal: ended.signal,
    onListening: (endpoints) => resolveEndpoints(endpoints),
  });
  // The controllers end normally only on `stop`, which must not settle this promise.
  const failed = controllers.then(() => new Promise<never>(() => undefined));
  const { metricsPort } = await Promise.race([listening, failed]);
  return {
    url: cluster.url,
    metricsUrl: `http://${loopback}:${metricsPort}/metrics`,
    decisions,
    failed,
    async stop() {
      ended.abort();
      await controllers.catch((error: unknown) => log.error('controllers failed', errorFields(error)));
      await saved?.flush();
      await cluster.stop();
    },
  };
}

async function faultsIn(file: string | undefined): Promise<Partial<Faults>> {
  return file === undefined ? {} : parseFaults(await readFaultFile(file), file);
}
