import type { NodeClaim } from '@karpenter/core/api';
import type { CloudInstance, CloudProvider } from '@karpenter/core/ports';
import type { KubeClient } from '@karpenter/kube/client';
import type { SeededRandom } from '@karpenter/testkit/random-clusters';

/** Crashes the process at any request, before or after the request took effect, or only fails the request. */
export class Faults {
  readonly #chance: SeededRandom;
  readonly #rate: number;
  isDead = false;
  isOn = true;
  crashes = 0;
  failures = 0;

  constructor(chance: SeededRandom, rate: number) {
    this.#chance = chance;
    this.#rate = rate;
  }

  async through<T>(request: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new Error('the process is dead');
    const roll = this.isOn ? this.#chance.next() / this.#rate : Number.POSITIVE_INFINITY;
    if (roll < 1) throw this.#crash();
    if (roll < 2) throw this.#failure();
    const answer = await request();
    if (roll < 3) throw this.#crash();
    if (roll < 4) throw this.#failure();
    return answer;
  }

  #crash(): Error {
    this.isDead = true;
    this.crashes += 1;
    return new Error('the process ends here');
  }

  #failure(): Error {
    this.failures += 1;
    return new Error('the connection was lost');
  }
}

const writes = new Set<PropertyKey>(['create', 'patch', 'delete', 'evict', 'get', 'find']);

export function faultyClient(client: KubeClient, faults: Faults): KubeClient {
  return new Proxy(client, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      const call = value.bind(target);
      return writes.has(property) ? (...args: unknown[]) => faults.through(() => call(...args)) : call;
    },
  });
}

/** The launches that the test cloud keeps across crashes. */
export interface Launches {
  /** By claim uid. */
  readonly made: Map<string, CloudInstance>;
  /** Claims whose instance this run of the process knows. */
  readonly known: Set<string>;
  /** Claims for which an instance was requested although it was known. */
  readonly repeated: string[];
}

/**
 * A cloud provider that launches one instance per claim, however often it is called, as with a client token.
 */
export function faultyCloud(cloud: CloudProvider, faults: Faults, launches: Launches): CloudProvider {
  const { made, known, repeated } = launches;
  const make = async (claim: NodeClaim, uid: string): Promise<CloudInstance> => {
    const instance = made.get(uid) ?? (await cloud.create(claim));
    made.set(uid, instance);
    return instance;
  };
  const create = async (claim: NodeClaim): Promise<CloudInstance> => {
    const uid = claim.metadata.uid ?? '';
    if (known.has(uid) || claim.status?.providerID !== undefined) repeated.push(claim.metadata.name);
    const instance = await faults.through(() => make(claim, uid));
    known.add(uid);
    return instance;
  };
  return {
    name: cloud.name,
    nodeClasses: cloud.nodeClasses,
    repairPolicies: cloud.repairPolicies,
    registrationHooks: cloud.registrationHooks,
    create,
    delete: (claim) => faults.through(() => cloud.delete(claim)),
    get: (providerId) => faults.through(() => cloud.get(providerId)),
    list: () => faults.through(() => cloud.list()),
    instanceTypes: (pool) => cloud.instanceTypes(pool),
    driftReason: (claim) => cloud.driftReason(claim),
  };
}
