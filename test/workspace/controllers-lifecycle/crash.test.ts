import {
  EvictionQueue,
  evictionQueue,
  nodeClaimExpiration,
  nodeClaimGarbageCollection,
  nodeClaimLifecycle,
  nodeClaims,
  nodeTermination,
  RegistrationHealth,
} from '@karpenter/controllers';
import { minutes, seconds } from '@karpenter/core/api';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { expect, it } from 'vitest';
import { Driver } from './driver.ts';
import { Faults, faultyClient, faultyCloud, type Launches } from './faults.ts';
import { createClaim, createPodOn, finishPod, instanceType, joinNode } from './objects.ts';

const actions = 40;

/** A cluster whose controllers crash at any moment and restart without memory. */
class Story {
  readonly world: ControllerWorld;
  readonly chance: SeededRandom;
  readonly faults: Faults;
  readonly launches: Launches = { made: new Map(), known: new Set(), repeated: [] };
  /** Instances whose provider ID was written to their claim. */
  readonly recorded = new Set<string>();
  /** Pods that were evicted from nodes that are not deleted. */
  readonly wronged: string[] = [];
  #driver: Driver;
  #names = 0;

  constructor(world: ControllerWorld, seed: number) {
    this.world = world;
    this.chance = new SeededRandom(seed);
    this.faults = new Faults(this.chance, 0.02);
    this.#watchRemovals();
    this.#driver = this.#start();
  }

  #watchRemovals(): void {
    const { client } = this.world;
    const evict = client.evict.bind(client);
    client.evict = async (key, options) => {
      const { spec } = await client.get(kinds.pod, key);
      const node = await client.get(kinds.node, { name: spec?.nodeName ?? '' });
      if (node.metadata?.deletionTimestamp === undefined) this.wronged.push(key.name);
      return evict(key, options);
    };
  }

  #start(): Driver {
    const { world, faults } = this;
    faults.isDead = false;
    this.launches.known.clear();
    const context = {
      ...world,
      client: faultyClient(world.client, faults),
      cloud: faultyCloud(world.cloud, faults, this.launches),
    };
    const registrationHealth = new RegistrationHealth(context);
    const evictions = new EvictionQueue();
    return new Driver(
      world,
      nodeClaimLifecycle({ ...context, registrationHealth }),
      nodeClaimExpiration(context),
      nodeClaimGarbageCollection(context),
      nodeTermination({ ...context, evictions }),
      evictionQueue({ ...context, evictions }),
    );
  }

  async pass(duration: number): Promise<void> {
    await this.#driver.pass(duration);
    for (const { status } of (await this.world.client.list(nodeClaims)).items) {
      if (status?.providerID !== undefined) this.recorded.add(status.providerID);
    }
    if (this.faults.isDead) this.#driver = this.#start();
  }

  async action(): Promise<void> {
    const act = this.chance.pick([
      () => this.#create(),
      () => this.#create(),
      () => this.#join(),
      () => this.#join(),
      () => this.#addPod(),
      () => this.#addPod(),
      () => this.finishPods(),
      () => this.#delete(nodeClaims),
      () => this.#delete(kinds.node),
    ]);
    await act();
    await this.pass(this.chance.pick([0, seconds(1), seconds(7), seconds(30)]));
  }

  /** Deletes everything that is left, without further faults. */
  async end(): Promise<void> {
    this.faults.isOn = false;
    await this.pass(seconds(1));
    for (const { metadata } of await this.list(nodeClaims)) {
      await this.world.client.delete(nodeClaims, { name: metadata?.name ?? '' });
    }
    for (let round = 0; round < 4; round += 1) {
      await this.pass(seconds(30));
      await this.finishPods();
    }
    await this.pass(minutes(3));
  }

  async list(kind: Kind): Promise<readonly KubeObject[]> {
    return (await this.world.client.list(kind)).items;
  }

  #create(): Promise<unknown> {
    this.#names += 1;
    const terminationGracePeriod = this.chance.pick([undefined, '20s', '5m']);
    return createClaim(this.world, `claim-${this.#names}`, {
      expireAfter: this.chance.pick(['Never', '2m']),
      ...(terminationGracePeriod !== undefined && { terminationGracePeriod }),
    });
  }

  /** Starts the kubelet of an instance that has no Node yet. */
  async #join(): Promise<void> {
    const joined = (await this.world.client.list(kinds.node)).items.map(({ spec }) => spec?.providerID);
    const [instance] = [...this.world.cloud.instances.values()].filter(
      ({ providerId, isDeleting }) => !isDeleting && !joined.includes(providerId),
    );
    if (instance === undefined) return;
    this.#names += 1;
    await joinNode(this.world, `node-${this.#names}`, instance.providerId);
  }

  async #addPod(): Promise<void> {
    const node = await this.#one(kinds.node);
    if (node === undefined) return;
    this.#names += 1;
    await createPodOn(this.world, node, `pod-${this.#names}`, {
      terminationGracePeriodSeconds: this.chance.integer(0, 40),
      ...this.chance.maybe(0.3, () => ({ annotations: { 'karpenter.sh/do-not-disrupt': '1m' } })),
      startTime: '2026-01-01T00:00:00Z',
    });
  }

  async #delete(kind: Kind): Promise<void> {
    const name = await this.#one(kind);
    if (name !== undefined) await this.world.client.delete(kind, { name });
  }

  async #one(kind: Kind): Promise<string | undefined> {
    const [first, ...others] = await this.list(kind);
    return first === undefined ? undefined : this.chance.pick([first, ...others]).metadata?.name;
  }

  /** Removes terminating pods, as kubelets do. */
  async finishPods(): Promise<void> {
    for (const { metadata } of (await this.world.client.list(kinds.pod)).items) {
      if (metadata?.deletionTimestamp !== undefined) await finishPod(this.world, metadata.name ?? '');
    }
  }
}

it.each(seeds({ quick: 3, full: 5 }))(
  'launches nothing twice and leaves nothing behind, wherever the process ends (seed %i)',
  async (seed) => {
    const world = await startControllerWorld({ types: [instanceType] });
    try {
      const story = new Story(world, seed);
      for (let action = 0; action < actions; action += 1) await story.action();
      await story.end();
      expect(story.faults.crashes).toBeGreaterThan(0);
      expect(await story.list(nodeClaims)).toEqual([]);
      // Nodes that never registered belong to whoever created them.
      const nodes = (await story.list(kinds.node)).filter(({ metadata }) => metadata?.finalizers?.length);
      expect(nodes).toEqual([]);
      expect(story.launches.repeated).toEqual([]);
      expect(story.wronged).toEqual([]);
      // The instance of a claim deleted before its provider ID was written is left to the cloud provider's
      // collection.
      const left = [...world.cloud.instances.keys()].filter((providerId) => story.recorded.has(providerId));
      expect(left).toEqual([]);
    } finally {
      await world.stop();
    }
  },
);
