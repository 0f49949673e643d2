import {
  EvictionQueue,
  evictionQueue,
  nodeClaimLifecycle,
  nodeClaims,
  nodeTermination,
  RegistrationHealth,
} from '@karpenter/controllers';
import { isNotFound, kinds } from '@karpenter/kube/client';
import type { Instant, Runnable } from '@karpenter/kube/runtime';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { Driver } from './driver.ts';
import { createClaim, instanceType, joinNode } from './objects.ts';

export const providerId = 'memory:///instance-1';

/** A cluster with the controllers that launch and terminate nodes. */
export interface TerminationWorld extends ControllerWorld {
  readonly driver: Driver;
  readonly evictions: EvictionQueue;
  /** The same controllers after a restart of the process, without memory. */
  restart(): Driver;
  /** The claim `a` with its initialized Node `node-a`. */
  createNode(claim?: Parameters<typeof createClaim>[2], node?: Parameters<typeof joinNode>[3]): Promise<void>;
  deleteNode(name?: string): Promise<void>;
  hasNode(name?: string): Promise<boolean>;
  hasClaim(): Promise<boolean>;
  podNames(): Promise<readonly string[]>;
  /** The grace period in seconds of each terminating pod. */
  ending(): Promise<Readonly<Record<string, number | undefined>>>;
  /** Calls to the API server: `evict NAME`, `delete NAME SECONDS`. */
  readonly removals: readonly string[];
}

export interface TerminationOptions extends WorldOptions {
  /** Controllers that run beside those that terminate nodes. */
  readonly beside?: (world: ControllerWorld) => readonly Runnable[];
}

export async function startTerminationWorld({
  beside = () => [],
  ...options
}: TerminationOptions = {}): Promise<TerminationWorld> {
  const world = await startControllerWorld({ types: [instanceType], ...options });
  const removals = recordRemovals(world);
  const start = (evictions: EvictionQueue) => {
    const registrationHealth = new RegistrationHealth(world);
    return new Driver(
      world,
      nodeClaimLifecycle({ ...world, registrationHealth }),
      nodeTermination({ ...world, evictions }),
      evictionQueue({ ...world, evictions }),
      ...beside(world),
    );
  };
  const evictions = new EvictionQueue();
  const driver = start(evictions);
  const { client } = world;
  const pods = async () => (await client.list(kinds.pod)).items;
  return {
    ...world,
    driver,
    evictions,
    removals,
    restart: () => start(new EvictionQueue()),
    async createNode(claim, node) {
      await createClaim(world, 'a', claim);
      await driver.settle();
      await joinNode(world, 'node-a', providerId, node);
      await driver.settle();
    },
    deleteNode: (name = 'node-a') => client.delete(kinds.node, { name }),
    hasNode: (name = 'node-a') => exists(client.get(kinds.node, { name })),
    hasClaim: () => exists(client.get(nodeClaims, { name: 'a' })),
    podNames: async () => (await pods()).map(({ metadata }) => metadata?.name ?? '').toSorted(),
    ending: async () =>
      Object.fromEntries(
        (await pods()).flatMap(({ metadata }) =>
          metadata?.deletionTimestamp === undefined
            ? []
            : [[metadata.name ?? '', metadata.deletionGracePeriodSeconds]],
        ),
      ),
  };
}

/** Records evictions and deletions of pods, whether or not they succeed. */
function recordRemovals({ client }: ControllerWorld): readonly string[] {
  const removals: string[] = [];
  const [evict, remove] = [client.evict.bind(client), client.delete.bind(client)];
  client.evict = (pod, options) => {
    removals.push(`evict ${pod.name}`);
    return evict(pod, options);
  };
  client.delete = (kind, key, options) => {
    const seconds = options?.gracePeriodSeconds ?? 0;
    if (kind.kind === 'Pod' && seconds > 0) removals.push(`delete ${key.name} ${seconds}`);
    return remove(kind, key, options);
  };
  return removals;
}

async function exists(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Evicts a pod of `node-a` from a stale cache, after a change that only the server has. */
export async function evictAsCached(
  world: TerminationWorld,
  name: string,
  meanwhile: () => Promise<unknown>,
  deadline?: Instant,
): Promise<void> {
  await world.driver.caughtUp();
  const cache = world.caches.of(kinds.pod);
  const key = { namespace: 'default', name };
  const old = cache.get(key);
  await meanwhile();
  const { get } = cache;
  cache.get = () => old;
  const { uid = '' } = old?.metadata ?? {};
  world.evictions.add(
    { metadata: { ...key, uid }, spec: { containers: [] } },
    { nodeName: 'node-a', deadline },
  );
  await world.driver.settle();
  cache.get = get;
}
