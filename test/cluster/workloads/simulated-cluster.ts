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
import { VirtualClock } from '@karpenter/testkit/clock';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { expect } from 'vitest';

/** A real API server with nothing but our own scheduler, controllers and kubelets around it. */
export interface SimulatedCluster {
  readonly plane: ControlPlane;
  readonly client: KubeClient;
  readonly fleet: KubeletFleet;
  readonly clock: VirtualClock;
  /** What failed and was tried again. */
  readonly complaints: readonly string[];
  createNamespace(name: string): Promise<void>;
  /** Turns the clock until the answer is as expected; the API server itself lives in real time. */
  eventually<T>(probe: () => Promise<T>, stepMs?: number): ReturnType<typeof expect.poll<T>>;
  stop(): Promise<void>;
}

export async function startSimulatedCluster(): Promise<SimulatedCluster> {
  const plane = await startControlPlane({ components: [] });
  const credentials = tokenCredentials(plane.token);
  const client = connect({ server: plane.url, ca: plane.caPem, credentials }, { qps: 2_000, burst: 2_000 });
  const clock = new VirtualClock(Date.now());
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const caches = new CacheSet({ client, clock: systemClock, signal: ended.signal });
  const complaints: string[] = [];
  const log = (message: string, details: object) => complaints.push(`${message} ${JSON.stringify(details)}`);
  const kubelets = startKubelets({ client, clock, caches, log });
  const controllers = startClusterControllers({ client, clock, caches, log, seed: 1 });
  return {
    plane,
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
        { timeout: 50_000, interval: 20 },
      ),
    async stop() {
      await Promise.all([kubelets.stop(), controllers.stop()]);
      ended.abort();
      await client.close();
      await plane.stop();
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
