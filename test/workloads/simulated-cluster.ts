import { setMaxListeners } from 'node:events';
import { durationMs } from '@karpenter/core/values';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import {
  type KubeletFleet,
  type SimulatedNode,
  startClusterControllers,
  startKubelets,
} from '@karpenter/sim';
import type { VirtualClock } from '@karpenter/testkit/clock';
import { expect } from 'vitest';

/** The address of an API server and how to stop it. */
export interface RunningServer {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** An API server with our scheduler, controllers and kubelets, and nothing else. */
export interface SimulatedCluster {
  readonly client: KubeClient;
  readonly fleet: KubeletFleet;
  readonly clock: VirtualClock;
  /** Errors that were retried. */
  readonly complaints: readonly string[];
  createNamespace(name: string): Promise<void>;
  /**
   * Advances the virtual clock until the probe returns what is expected; requests themselves take real time.
   */
  eventually<T>(probe: () => Promise<T>, stepMs?: number): ReturnType<typeof expect.poll<T>>;
  stop(): Promise<void>;
}

/** `pauseMs` is the real time between two steps of the clock, for a server in other processes. */
export function simulateCluster(server: RunningServer, clock: VirtualClock, pauseMs = 20): SimulatedCluster {
  const credentials = tokenCredentials(server.token);
  const client = connect({ server: server.url, ca: server.caPem, credentials }, { qps: 2_000, burst: 2_000 });
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  const complaints: string[] = [];
  const log = (message: string, details: object) => complaints.push(`${message} ${JSON.stringify(details)}`);
  const kubelets = startKubelets({ client, clock, caches, log });
  const controllers = startClusterControllers({ client, clock, caches, log, seed: 1 });
  return {
    client,
    fleet: kubelets.fleet,
    clock,
    complaints,
    async createNamespace(name) {
      await client.create(kinds.namespace, { metadata: { name } });
      await expect
        .poll(() => client.list(kinds.serviceAccount, { namespace: name }), { timeout: 20_000, interval: 20 })
        .toMatchObject({ items: [{ metadata: { name: 'default' } }] });
    },
    eventually: (probe, stepMs = 500) =>
      expect.poll(
        async () => {
          await clock.advance(durationMs(stepMs));
          return probe();
        },
        { timeout: 50_000, interval: pauseMs },
      ),
    async stop() {
      await Promise.all([kubelets.stop(), controllers.stop()]);
      ended.abort();
      await client.close();
      await server.stop();
    },
  };
}

export function simulatedNode(name: string, overrides: Partial<SimulatedNode> = {}): SimulatedNode {
  return {
    name,
    providerID: `aws:///us-west-2a/${name}`,
    capacity: { cpu: '4', memory: '16Gi', pods: '30', 'ephemeral-storage': '100Gi' },
    zone: 'us-west-2a',
    region: 'us-west-2',
    instanceType: 'm5.xlarge',
    ...overrides,
  };
}
