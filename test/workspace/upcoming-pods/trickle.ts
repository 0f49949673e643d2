import {
  nodeClaimLifecycle,
  nodeClaims,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
  RegistrationHealth,
} from '@karpenter/controllers';
import type { NodePool } from '@karpenter/core/api';
import type { Decision } from '@karpenter/core/decisions';
import { type Kind, kinds } from '@karpenter/kube/client';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { createPool, noTime, testPool } from '../controllers/objects.ts';

/** Sizes of one family at the same price for each CPU, as in EC2. */
export const types = [2, 4, 8, 16, 32, 64].map((cpu) =>
  instanceType(`c.${cpu}`, { price: cpu * 0.05, cpu: String(cpu), memory: `${cpu * 4}Gi`, pods: '250' }),
);

export interface TrickleOptions extends WorldOptions {
  readonly pool?: NodePool;
  /** Whether NodeClaims are launched, as instances that never join. */
  readonly launches?: boolean;
}

/** A world in which pods of workloads arrive when the test says so. */
export class Trickle {
  readonly world: ControllerWorld;
  readonly #uids = new Map<string, string>();
  #created = 0;

  private constructor(world: ControllerWorld) {
    this.world = world;
  }

  static async start({
    pool = testPool(),
    launches = false,
    ...options
  }: TrickleOptions = {}): Promise<Trickle> {
    const world = await startControllerWorld({ types, ...options });
    await createPool(world, pool);
    const { batchIdleDuration: idle, batchMaxDuration: max } = world.settings;
    const batcher = new ProvisioningBatcher(world.clock, { idle, max });
    world.run(podTrigger(world, batcher), provisioner(world, batcher));
    if (launches)
      world.run(nodeClaimLifecycle({ ...world, registrationHealth: new RegistrationHealth(world) }));
    return new Trickle(world);
  }

  /** Creates a ReplicaSet that creates no pods by itself, and waits until the caches have it. */
  async replicaSet(name: string, replicas: number): Promise<void> {
    const labels = { app: name };
    const created = await this.world.client.create(kinds.replicaSet, {
      metadata: { name, namespace: 'default' },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: podSpec('1') },
      },
    });
    this.#uids.set(`ReplicaSet/${name}`, created.metadata?.uid ?? '');
    await this.seen();
  }

  async job(
    name: string,
    spec: { readonly parallelism: number; readonly completions?: number },
  ): Promise<void> {
    const created = await this.world.client.create(kinds.job, {
      metadata: { name, namespace: 'default' },
      spec: { ...spec, template: { spec: { ...podSpec('1'), restartPolicy: 'Never' } } },
    });
    this.#uids.set(`Job/${name}`, created.metadata?.uid ?? '');
    await this.seen();
  }

  /** Waits until the caches show all that was written. */
  async seen(): Promise<void> {
    const { client, caches } = this.world;
    for (const kind of [kinds.replicaSet, kinds.job] as readonly Kind[]) {
      const { items } = await client.list(kind);
      const newest = items.map(({ metadata }) => `${metadata?.uid} ${metadata?.resourceVersion}`).sort();
      await this.world.until(() => {
        const cached = caches
          .of(kind)
          .list()
          .map(({ metadata }) => `${metadata?.uid} ${metadata?.resourceVersion}`);
        return cached.sort().join() === newest.join();
      }, noTime);
    }
  }

  /** Creates pods of a workload (`ReplicaSet/web`) that kube-scheduler finds no node for. */
  async arrive(owner: string, count: number, cpu = '1'): Promise<readonly string[]> {
    const pods = await Promise.all(Array.from({ length: count }, () => this.#pod(owner, cpu)));
    const uids = pods.map(({ metadata }) => metadata?.uid ?? '');
    await this.world.until(() => {
      const { pendingPods, heldPods } = this.world.cluster.snapshot();
      const known = new Set(
        [...pendingPods, ...heldPods.map(({ pod }) => pod)].map((pod) => pod.metadata.uid),
      );
      return uids.every((uid) => known.has(uid));
    }, noTime);
    return uids;
  }

  async #pod(owner: string, cpu: string): Promise<Pod> {
    const { client } = this.world;
    const [kind = '', workload = ''] = owner.split('/');
    this.#created += 1;
    const name = `${workload}-${String(this.#created).padStart(4, '0')}`;
    const apiVersion = kind === 'Job' ? 'batch/v1' : 'apps/v1';
    const uid = this.#uids.get(owner) ?? '';
    const pod = await client.create(kinds.pod, {
      metadata: {
        name,
        namespace: 'default',
        labels: { app: workload },
        ownerReferences: [{ apiVersion, kind, name: workload, uid, controller: true }],
      },
      spec: podSpec(cpu),
    });
    const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };
    const body = { status: { conditions: [condition] } };
    await client.patch(
      kinds.pod,
      { namespace: 'default', name },
      { type: 'merge', body },
      { subresource: 'status' },
    );
    return pod;
  }

  /** Deletes a ReplicaSet, and waits until its pods are gone too and the caches show it. */
  async remove(owner: string): Promise<void> {
    const { client, cluster, until } = this.world;
    const [, name = ''] = owner.split('/');
    await client.delete(kinds.replicaSet, { namespace: 'default', name });
    await this.seen();
    const isOwn = (pod: Pod) => pod.metadata?.labels?.['app'] === name;
    // The API server collects pods whose owner is gone.
    await until(async () => !(await client.list(kinds.pod)).items.some(isOwn), noTime);
    const left = (await client.list(kinds.pod)).items.length;
    await until(() => cluster.snapshot().pendingPods.length === left, noTime);
    this.#created = left;
  }

  /** Lets time pass in small steps, so that batches end and passes run. */
  async pass(ms: number): Promise<void> {
    const { clock } = this.world;
    const end = clock.now() + ms;
    await this.world.until(() => clock.now() >= end, Math.min(ms, 100));
  }

  /** Lets time pass until plans cover every pod and all of them are recorded. */
  async settled(): Promise<void> {
    const { cluster, decisions, until } = this.world;
    await until(() => cluster.snapshot().pendingPods.length === 0);
    const planned = () => decisions.list({ kind: 'plan' }).reduce((sum, plan) => sum + podsOf(plan), 0);
    await until(() => planned() >= this.#created, noTime);
  }

  async claims() {
    return (await this.world.client.list(nodeClaims)).items;
  }

  /** Of the cheapest type of each NodeClaim, in dollars an hour. */
  async price(): Promise<number> {
    const claims = await this.claims();
    const prices = claims.map(({ spec }) => {
      const named =
        spec.requirements.find(({ key }) => key === 'node.kubernetes.io/instance-type')?.values ?? [];
      const possible = types.filter(({ name }) => named.includes(name));
      return Math.min(...possible.flatMap(({ offerings }) => offerings.map(({ price }) => price)));
    });
    return prices.reduce((sum, price) => sum + price, 0);
  }

  stop(): Promise<void> {
    return this.world.stop();
  }
}

function podsOf(decision: Decision): number {
  return decision.kind === 'plan' ? decision.pods : 0;
}

function podSpec(cpu: string) {
  const requests = { cpu, memory: '1Gi' };
  return { containers: [{ name: 'main', image: 'app', resources: { requests } }] };
}
