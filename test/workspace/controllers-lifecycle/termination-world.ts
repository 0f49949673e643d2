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
import { createClaim, joinNode, machineType } from './objects.ts';

export const machine = 'memory:///machine-1';

/** A cluster in which nodes come and go. */
export interface TerminationWorld extends ControllerWorld {
  readonly driver: Driver;
  readonly evictions: EvictionQueue;
  /** The same controllers after a start of the process: nothing is remembered. */
  restart(): Driver;
  /** The claim `a` and its Node `node-a`, up and running. */
  createNode(claim?: Parameters<typeof createClaim>[2], node?: Parameters<typeof joinNode>[3]): Promise<void>;
  deleteNode(name?: string): Promise<void>;
  hasNode(name?: string): Promise<boolean>;
  hasClaim(): Promise<boolean>;
  podNames(): Promise<readonly string[]>;
  /** Of pods that are on their way out, how many seconds they were given. */
  ending(): Promise<Readonly<Record<string, number | undefined>>>;
  /** Calls of the API server: `evict NAME`, `delete NAME SECONDS`. */
  readonly removals: readonly string[];
}

export interface TerminationOptions extends WorldOptions {
  /** What runs beside the controllers that bring nodes to their end. */
  readonly beside?: (world: ControllerWorld) => readonly Runnable[];
}

export async function startTerminationWorld({
  beside = () => [],
  ...options
}: TerminationOptions = {}): Promise<TerminationWorld> {
  const world = await startControllerWorld({ types: [machineType], ...options });
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
      await joinNode(world, 'node-a', machine, node);
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

/** What is asked of pods, whether or not it is granted. */
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

/** Evicts a pod of `node-a` as the cache showed it before something happened that only the server knows of. */
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
