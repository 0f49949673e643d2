import { type Endpoints, errorFields, JsonLog, type LogLevel } from '@karpenter/controllers';
import { systemClock } from '@karpenter/kube/runtime';
import { type Faults, parseFaults } from '@karpenter/sim/cloud';
import { runControllerProcess } from '../controller/controller-process.ts';
import { settingsWith } from '../controller/process-settings.ts';
import { readFaultFile } from '../simulated-account/fault-file.ts';
import type { Terminal } from '../terminal.ts';
import { type EmbeddedClusterOptions, startEmbeddedCluster } from './embedded-cluster.ts';

/** Metrics and probes of a development cluster must not be reachable from other hosts. */
const loopback = '127.0.0.1';

export interface DevClusterOptions
  extends Omit<EmbeddedClusterOptions, 'faults' | 'onFaults' | 'onError' | 'onNotice'> {
  readonly faultsFile: string | undefined;
  readonly logLevel: LogLevel;
}

export interface DevCluster {
  readonly url: string;
  readonly metricsUrl: string;
  /** Rejects when the controllers fail; never resolves. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

/**
 * Starts everything in one process: the embedded cluster, the simulated AWS account, and the controllers exactly as on
 * a real cluster. Resolves when the controllers serve their metrics; rejects if they fail before that.
 */
export async function startDevCluster(options: DevClusterOptions, terminal: Terminal): Promise<DevCluster> {
  const log = new JsonLog({
    level: options.logLevel,
    now: () => systemClock.now(),
    write: terminal.out,
  });
  const faults = await faultsIn(options.faultsFile);
  const cluster = await startEmbeddedCluster({
    ...options,
    faults,
    onFaults: (message) => log.info(message),
    onError: (error) => log.error('the API server goes on after a failure', errorFields(error)),
    onNotice: (message) => terminal.out(`not kept: ${message}\n`),
  });
  const ended = new AbortController();
  let resolveEndpoints: (endpoints: Endpoints) => void = () => undefined;
  const listening = new Promise<Endpoints>((resolve) => {
    resolveEndpoints = resolve;
  });
  const controllers = runControllerProcess({
    config: cluster.config,
    settings: settingsWith({
      'cluster-name': options.clusterName,
      'interruption-queue': options.clusterName,
      'disable-leader-election': 'true',
      // Prices of the simulated market change over time; a demo cluster should show that spot nodes follow them.
      'feature-gates': 'SpotToSpotConsolidation=true',
      'metrics-port': '0',
      'health-probe-port': '0',
    }),
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
    failed,
    async stop() {
      ended.abort();
      await controllers.catch((error: unknown) => log.error('controllers failed', errorFields(error)));
      await cluster.stop();
    },
  };
}

async function faultsIn(file: string | undefined): Promise<Partial<Faults>> {
  return file === undefined ? {} : parseFaults(await readFaultFile(file), file);
}
