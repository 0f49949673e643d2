import { CodedError } from '@karpenter/core/errors';
import type { DemoAction, DemoFacts, DemoResult } from '@karpenter/core/page-api';
import type { WatchCache } from '@karpenter/kube/cache';
import { isNotFound, type KubeClient, kinds } from '@karpenter/kube/client';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import type { DemoControls } from '../page-server/index.ts';
import {
  type FaultsInForce,
  faultConfig,
  type SimulatedAccount,
  withFailingBoots,
  withoutSpot,
  withSpot,
} from '../simulated-account/index.ts';

export interface DemoParts {
  readonly client: KubeClient;
  readonly account: SimulatedAccount;
  /** Those of the namespace `default`. */
  readonly deployments: WatchCache<Deployment>;
}

const maxDeployments = 50;

/** What the buttons of the page do in `dev`: the same as `kubectl scale` and `karpenter faults`, so that both undo it. */
export class ClusterDemo implements DemoControls {
  readonly #parts: DemoParts;
  /** Changes of the faults read and write one object, so they follow one another. */
  #faultsWritten: Promise<unknown> = Promise.resolve();

  constructor(parts: DemoParts) {
    this.#parts = parts;
  }

  facts(): DemoFacts {
    const { account, deployments } = this.#parts;
    const found = deployments.list().map(({ metadata, spec }) => ({
      name: metadata?.name ?? '',
      replicas: spec?.replicas ?? 1,
    }));
    return {
      zones: account.cloud.world.zones.map(({ name }) => name),
      deployments: found.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, maxDeployments),
    };
  }

  async perform(action: DemoAction): Promise<DemoResult> {
    return { message: await this.#done(action) };
  }

  #done(action: DemoAction): Promise<string> {
    switch (action.action) {
      case 'scale':
        return this.#scale(action.deployment, action.replicas);
      case 'removeSpot':
        return this.#removeSpot(action.zone);
      case 'restoreSpot':
        return this.#restoreSpot(action.zone);
      case 'interrupt':
        return this.#interrupt(action.node);
      case 'failBoots':
        return this.#failBoots(action.isFailing);
    }
  }

  async #scale(name: string, replicas: number): Promise<string> {
    const { client } = this.#parts;
    const deployment = { name, namespace: 'default' };
    try {
      await client.patch(kinds.deployment, deployment, { type: 'merge', body: { spec: { replicas } } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new CodedError(
        'unknown-resource',
        `cannot scale ${name}: the namespace default has no such Deployment; create it first`,
      );
    }
    return `Deployment ${name} has ${replicas} replicas now`;
  }

  async #removeSpot(zone: string): Promise<string> {
    this.#requireZone(zone);
    await this.#changeFaults((text, inForce) => withoutSpot(text, zone, inForce));
    return `no spot instance starts in ${zone} any more; those that run stay`;
  }

  async #restoreSpot(zone: string): Promise<string> {
    this.#requireZone(zone);
    await this.#changeFaults((text, inForce) => withSpot(text, zone, inForce));
    return `spot instances start in ${zone} again`;
  }

  async #failBoots(isFailing: boolean): Promise<string> {
    await this.#changeFaults((text, inForce) => withFailingBoots(text, isFailing, inForce));
    return isFailing
      ? 'instances that start from now on never join the cluster'
      : 'instances join the cluster again';
  }

  async #interrupt(name: string): Promise<string> {
    const { client, account } = this.#parts;
    const node = await client.find(kinds.node, { name });
    const instance = node?.spec?.providerID?.split('/').at(-1) ?? '';
    if (node !== undefined && account.cloud.interrupt(instance))
      return `EC2 takes ${instance}, the instance of ${name}, back in two minutes`;
    const why =
      node === undefined ? 'there is no such node' : 'it does not run on a spot instance that can be taken';
    throw new CodedError('invalid-setting', `cannot interrupt ${name}: ${why}; choose another node`);
  }

  #requireZone(zone: string): void {
    const { zones } = this.facts();
    if (zones.includes(zone)) return;
    throw new CodedError(
      'invalid-setting',
      `the simulated account has no zone ${JSON.stringify(zone)}; choose one of ${zones.join(', ')}`,
    );
  }

  #changeFaults(change: (text: string, inForce: FaultsInForce) => string): Promise<void> {
    const write = this.#faultsWritten.then(() => this.#writeFaults(change));
    // A write that fails is reported to its caller and must not stop those behind it.
    this.#faultsWritten = write.catch(() => undefined);
    return write;
  }

  async #writeFaults(change: (text: string, inForce: FaultsInForce) => string): Promise<void> {
    const { client, account } = this.#parts;
    const { namespace, name, key } = faultConfig;
    const config = await client.find(kinds.configMap, faultConfig);
    const text = change(config?.data?.[key] ?? '', account.cloud.faults.current);
    await client.apply(
      kinds.configMap,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { [key]: text } },
      // The manager of `karpenter faults`, so that either can take over the field from the other without a conflict.
      { fieldManager: 'karpenter-faults', force: true },
    );
  }
}
