import { setMaxListeners } from 'node:events';
import type { CacheSet } from '@karpenter/kube/cache';
import type { KubeClient } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { cachesOf, type Running } from './cluster-controllers.ts';
import { KubeletFleet, watchForKubelets } from './kubelet/kubelet-fleet.ts';
import { type SimulationLog, silent } from './objects/simulation-log.ts';

export interface KubeletsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /**
   * Caches shared with other users of the same cluster, so that each kind is watched once; defaults to new
   * ones.
   */
  readonly caches?: CacheSet;
  readonly log?: SimulationLog;
}

export interface RunningKubelets extends Running {
  readonly fleet: KubeletFleet;
}

/** Starts a kubelet fleet without nodes; `fleet.start` adds them. */
export function startKubelets({ client, clock, caches, log = silent }: KubeletsOptions): RunningKubelets {
  const ended = new AbortController();
  const { signal } = ended;
  setMaxListeners(0, signal);
  const fleet = new KubeletFleet({
    client,
    clock,
    ...watchForKubelets(caches ?? cachesOf({ client, clock, signal, log })),
    signal,
    log,
  });
  const run = fleet.run();
  return {
    fleet,
    async stop() {
      ended.abort();
      await run;
    },
  };
}
