import { controllerPolicies, policyScope } from '@karpenter/aws/iam-policies';
import type { AwsServices } from '@karpenter/aws/ports';
import type { DurationMs } from '@karpenter/core/values';
import type { WatchCache } from '@karpenter/kube/cache';
import type { KubeClient } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import type { KubeletFleet } from '@karpenter/sim';
import {
  type AccountFile,
  AccountKeeper,
  createCloud,
  defaultPendingTime,
  type Faults,
  type IdentityPolicy,
  InstanceBoots,
  noFaults,
  type SimulatedCloud,
} from '@karpenter/sim/cloud';
import type { ConfigMap, Node } from 'kubernetes-types/core/v1.js';
import { type FaultReport, followFaults } from './fault-config.ts';
import { followRequests } from './followed-requests.ts';
import { followActs } from './node-acts.ts';

export interface SimulatedAccountOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly clusterName: string;
  /** Of a new account; a restored one has its own. Defaults to us-west-2. */
  readonly region?: string;
  /** The kubelets that make nodes of instances. */
  readonly fleet: Pick<KubeletFleet, 'start' | 'terminate'>;
  /** The endpoint of the cluster. An instance joins only if its user data names the same one. */
  readonly apiServer: { readonly url: string; readonly caPem: string };
  /** From the launch of an instance until its kubelet starts, the time in which it is pending included. */
  readonly bootDelay: DurationMs;
  readonly faults: Partial<Faults>;
  /** Writes the outcome of requests. */
  readonly client: KubeClient;
  /** Watched for the ConfigMap that changes faults at runtime, and for requests. */
  readonly configMaps: WatchCache<ConfigMap>;
  /** Watched for annotations that request an act on the instance of a node. */
  readonly nodes: WatchCache<Node>;
  readonly onFaults: FaultReport;
  /** Restores the account from this file and saves it there. Without it the account ends with the process. */
  readonly file?: AccountFile | undefined;
}

export interface SimulatedAccount {
  readonly services: AwsServices;
  readonly region: string;
  readonly cloud: SimulatedCloud;
  /** Resolves when the state is saved. */
  stop(): Promise<void>;
}

/**
 * Starts a simulated AWS account in this process, whose instances join the cluster as nodes. Instances of a restored
 * account resume only after the keeper is attached, so that no change goes unsaved.
 */
export function startSimulatedAccount(options: SimulatedAccountOptions): SimulatedAccount {
  const { fleet, bootDelay, file } = options;
  const delay = bootDelay - pendingTimeOf(options);
  const faults = { boots: { ...noFaults.boots, delay, jitter: 0 }, ...options.faults };
  const keeper = file === undefined ? undefined : keeperOf(file, options);
  const cloud = cloudOf(options, faults, keeper);
  const boots = new InstanceBoots({
    cloud,
    seed: cloud.seed,
    saved: file?.saved?.boots,
    startNode: (node) => fleet.start(node),
    terminateNode: (name) => fleet.terminate(name),
  });
  boots.start();
  keeper?.attach(() => ({ cloud: cloud.save(), boots: boots.save() }));
  if (file?.saved !== undefined) cloud.resume();
  const followed = followFaults(options.configMaps, cloud, { atStart: faults, report: options.onFaults });
  const stops = [
    followed.stop,
    followActs(options.nodes, cloud, options.onFaults),
    followRequests({ ...options, cloud, report: options.onFaults, faultsInForce: followed.inForce }),
    () => boots.stop(),
    () => cloud.stop(),
  ];
  return {
    services: cloud.services,
    region: cloud.world.region,
    cloud,
    async stop() {
      for (const stop of stops) stop();
      await keeper?.close();
    },
  };
}

/** An instance that boots quickly is pending for a shorter time. */
function pendingTimeOf({ bootDelay }: SimulatedAccountOptions): number {
  return Math.min(defaultPendingTime, bootDelay);
}

function keeperOf(file: AccountFile, { clock, onFaults }: SimulatedAccountOptions): AccountKeeper {
  return new AccountKeeper({ clock, write: (account) => file.write(account), report: onFaults });
}

function cloudOf(
  options: SimulatedAccountOptions,
  faults: Partial<Faults>,
  durability: AccountKeeper | undefined,
): SimulatedCloud {
  const { clock, seed, clusterName, region, apiServer, file, onFaults } = options;
  const certificateAuthority = Buffer.from(apiServer.caPem).toString('base64');
  const cluster = { endpoint: apiServer.url, certificateAuthority };
  const saved = file?.saved?.cloud;
  const onError = (error: unknown) =>
    onFaults(`the simulated cloud goes on after a failure: ${String(error)}`);
  const world = { cluster };
  const pendingTime = pendingTimeOf(options);
  const named = { clusterName, pendingTime, ...(region !== undefined && { region }) };
  const cloud = createCloud({ ...named, clock, seed, faults, world, saved, durability, onError });
  cloud.enforcePolicies(policiesOf(cloud));
  // A restored account still has the endpoint of its last run.
  cloud.moveCluster(cluster);
  if (cloud.seed !== seed)
    onFaults(
      `the simulated account was made with seed ${cloud.seed} and keeps it; --seed ${seed} is not used`,
    );
  return cloud;
}

/** The account allows what the templates under `deploy` allow, so that a missing permission shows here first. */
function policiesOf({ world }: SimulatedCloud): readonly IdentityPolicy[] {
  const { region, accountId, cluster } = world;
  const scope = policyScope({ partition: 'aws', region, accountId, clusterName: cluster.name });
  return controllerPolicies(scope).map(({ document }) => document);
}
