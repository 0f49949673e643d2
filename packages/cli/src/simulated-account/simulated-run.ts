import { setMaxListeners } from 'node:events';
import type { Log } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import { CacheSet } from '@karpenter/kube/cache';
import { type ClusterConfig, connect, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { startKubelets } from '@karpenter/sim';
import { type SimulatedAccount, startSimulatedAccount } from './simulated-account.ts';

export interface SimulatedRunOptions {
  readonly config: ClusterConfig;
  readonly clusterName: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SimulatedRun {
  readonly account: SimulatedAccount;
  stop(): Promise<void>;
}

const bootDelay = durationMs(5_000);

/** An AWS account in this process and kubelets for its instances, beside any cluster. */
export function startSimulatedRun({ config, clusterName, clock, log }: SimulatedRunOptions): SimulatedRun {
  const client = connect(config, { userAgent: 'karpenter-simulated-cloud', qps: 2_000, burst: 2_000 });
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock, signal: ended.signal });
  const kubelets = startKubelets({ client, clock, caches });
  const account = startSimulatedAccount({
    client,
    clock,
    seed: 1,
    clusterName,
    fleet: kubelets.fleet,
    apiServer: { url: config.server, caPem: String(config.ca ?? '') },
    bootDelay,
    faults: {},
    configMaps: caches.of(kinds.configMap),
    nodes: caches.of(kinds.node),
    onFaults: (message) => log.info(message),
  });
  return {
    account,
    async stop() {
      await account.stop();
      await kubelets.stop();
      ended.abort();
      await client.close();
    },
  };
}
