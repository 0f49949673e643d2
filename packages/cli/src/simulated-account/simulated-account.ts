import type { AwsServices } from '@karpenter/aws/ports';
import type { DurationMs } from '@karpenter/core/values';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Clock } from '@karpenter/kube/runtime';
import type { KubeletFleet } from '@karpenter/sim';
import { createCloud, type Faults, InstanceBoots, noFaults, type SimulatedCloud } from '@karpenter/sim/cloud';
import type { ConfigMap, Node } from 'kubernetes-types/core/v1.js';
import { type FaultReport, followFaults } from './fault-config.ts';
import { followActs } from './node-acts.ts';

export interface SimulatedAccountOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly clusterName: string;
  /** Where instances become nodes. */
  readonly fleet: Pick<KubeletFleet, 'start' | 'terminate'>;
  /** How nodes find the API server; their user data must say the same. */
  readonly apiServer: { readonly url: string; readonly caPem: string };
  readonly bootDelay: DurationMs;
  readonly faults: Partial<Faults>;
  /** Faults are changed there while it runs. */
  readonly configMaps: WatchCache<ConfigMap>;
  readonly nodes: WatchCache<Node>;
  readonly onFaults: FaultReport;
}

export interface SimulatedAccount {
  readonly services: AwsServices;
  readonly region: string;
  readonly cloud: SimulatedCloud;
  stop(): void;
}

/** An AWS account in this process, whose instances are nodes of the cluster. */
export function startSimulatedAccount(options: SimulatedAccountOptions): SimulatedAccount {
  const { clock, seed, clusterName, fleet, apiServer, bootDelay } = options;
  const faults = { boots: { ...noFaults.boots, delay: bootDelay, jitter: 0 }, ...options.faults };
  const cloud = createCloud({
    clock,
    seed,
    clusterName,
    faults,
    onError: (error) => options.onFaults(`the simulated cloud goes on after a failure: ${String(error)}`),
    world: {
      cluster: {
        endpoint: apiServer.url,
        certificateAuthority: Buffer.from(apiServer.caPem).toString('base64'),
      },
    },
  });
  const boots = new InstanceBoots({
    cloud,
    seed,
    startNode: (node) => fleet.start(node),
    terminateNode: (name) => fleet.terminate(name),
  });
  const stops = [
    followFaults(options.configMaps, cloud, faults, options.onFaults),
    followActs(options.nodes, cloud, options.onFaults),
    () => boots.stop(),
    () => cloud.stop(),
  ];
  return {
    services: cloud.services,
    region: cloud.world.region,
    cloud,
    stop() {
      for (const stop of stops) stop();
    },
  };
}
