import { onDemandPrice } from '@karpenter/ec2-catalogue';
import { kinds } from '@karpenter/kube/client';
import type { Pod } from 'kubernetes-types/core/v1.js';
import type { EksCluster } from './eks-cluster.ts';

/** Watches the pods of a cluster while a migration runs. */
export class ObservedRun {
  readonly #cluster: () => EksCluster;
  /** When each pod that waits for a node was first seen waiting, by uid. */
  readonly #waiting = new Map<string, number>();
  /** The longest that any pod waited for a node, in milliseconds. */
  longestWait = 0;
  /** The fewest Ready pods of each app. */
  readonly fewestReady = new Map<string, number>();

  constructor(cluster: () => EksCluster) {
    this.#cluster = cluster;
  }

  async look(): Promise<void> {
    const { client, clock } = this.#cluster();
    const { items } = await client.list(kinds.pod, { namespace: 'default' });
    const now = clock.now();
    for (const pod of items) this.#note(pod, now);
    const apps = new Set(items.map(appOf));
    for (const app of apps) {
      const ready = items.filter((pod) => appOf(pod) === app && isReady(pod)).length;
      this.fewestReady.set(app, Math.min(ready, this.fewestReady.get(app) ?? ready));
    }
  }

  #note({ metadata, spec }: Pod, now: number): void {
    const uid = metadata?.uid ?? '';
    const since = this.#waiting.get(uid) ?? now;
    if (spec?.nodeName === undefined) this.#waiting.set(uid, since);
    else this.#waiting.delete(uid);
    this.longestWait = Math.max(this.longestWait, spec?.nodeName === undefined ? now - since : 0);
  }
}

function appOf({ metadata }: Pod): string {
  return metadata?.labels?.['app'] ?? '';
}

function isReady({ metadata, status }: Pod): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false;
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');
}

/** Dollars an hour of all instances of the account that run; spot at the price of this moment. */
export function hourlyPrice({ cloud, clock }: EksCluster): number {
  const running = [...cloud.world.instances.values()].filter(({ state }) => state === 'running');
  return running.reduce((sum, { type, zone, capacityType }) => {
    const spot = capacityType === 'spot' ? cloud.prices.at(type, zone, clock.now()) : undefined;
    return sum + (spot ?? onDemandPrice(type) ?? 0);
  }, 0);
}

/** Sizes, suspended processes, cordoned nodes of groups and replicas of Cluster Autoscaler. */
export async function oldSetup({ client, cloud }: EksCluster): Promise<object> {
  const groups = [...cloud.world.autoScalingGroups.values()].map(
    ({ name, min, max, desired, suspended }) => ({
      name,
      min,
      max,
      desired,
      suspended,
    }),
  );
  const nodegroups = [...cloud.world.nodegroups.values()].map(({ name, min, max, desired }) => ({
    name,
    min,
    max,
    desired,
  }));
  // Nothing in the simulated cluster deletes the Node of an instance that Karpenter did not launch.
  const alive = [...cloud.world.instances.values()].filter(({ state }) => state === 'running');
  const names = new Set(alive.map(({ privateDnsName }) => privateDnsName));
  const nodes = (await client.list(kinds.node)).items.filter(({ metadata }) =>
    names.has(metadata?.name ?? ''),
  );
  const key = { namespace: 'kube-system', name: 'cluster-autoscaler' };
  return {
    groups,
    nodegroups,
    cordoned: nodes.filter(({ spec }) => spec?.unschedulable === true).map(({ metadata }) => metadata?.name),
    replicas: (await client.get(kinds.deployment, key)).spec?.replicas,
    record:
      (await client.find(kinds.configMap, { namespace: 'kube-system', name: 'karpenter-migration' })) !==
      undefined,
  };
}
