import { CodedError } from '@karpenter/core/errors';
import { instanceNotFound, type Termination } from '@karpenter/core/ports';
import { isNotFound } from '../aws-errors/index.ts';
import type { BatchedEc2 } from '../batching/index.ts';
import { allPages, pageAfter } from '../caching/index.ts';
import { tagKeys } from '../names/index.ts';
import type { Ec2 } from '../ports/index.ts';
import { ec2Tags } from '../tags/index.ts';
import { type Ec2Instance, instanceFromEc2, isTerminating } from './instance.ts';
import type { LaunchesInFlight } from './launches-in-flight.ts';

/** Without `terminated`: such an instance counts as gone, and only then its capacity returns to its reservation. */
const livingStates = {
  Name: 'instance-state-name',
  Values: ['pending', 'running', 'stopping', 'stopped', 'shutting-down'],
};

export interface InstanceProviderOptions {
  readonly ec2: Pick<Ec2, 'describeInstances' | 'createTags'>;
  readonly batched: Pick<BatchedEc2, 'describeInstance' | 'terminateInstance'>;
  readonly clusterName: string;
  /** Whether the gate ReservedCapacity is on. */
  readonly reservedCapacity: boolean;
  /** Whether traffic is shifted away from the zone. Instances there are neither terminated nor tagged. */
  readonly isShifted: (zoneId: string) => boolean;
  readonly launches?: Pick<LaunchesInFlight, 'mayAwait'>;
  readonly onTerminationFailure?: (labels: { readonly zone: string; readonly zone_id: string }) => void;
}

interface GetOptions {
  /** Calls EC2 even if the instance is cached. */
  readonly skipCache?: boolean;
}

/** An instance, or the reason for which EC2 has none. */
type Lookup = { readonly instance: Ec2Instance } | { readonly instance: undefined; readonly cause?: unknown };

/** The instances of the cluster. Cached entries do not expire; they are dropped when EC2 no longer lists them. */
export class InstanceProvider {
  readonly #options: InstanceProviderOptions;
  readonly #known = new Map<string, Ec2Instance>();
  /** Instances that were just launched and that EC2 has not listed or described since. */
  readonly #unseen = new Set<string>();

  constructor(options: InstanceProviderOptions) {
    this.#options = options;
  }

  /** Caches an instance that was just launched. */
  remember(instance: Ec2Instance): void {
    this.#known.set(instance.id, instance);
    this.#unseen.add(instance.id);
  }

  /** Undefined if EC2 has no such instance. During a shift of its zone, a known instance is not described. */
  async get(id: string, options?: GetOptions): Promise<Ec2Instance | undefined> {
    return (await this.#lookUp(id, options)).instance;
  }

  /** Like `get`, but rejects with instanceNotFound if there is no such instance. */
  async require(id: string, options?: GetOptions): Promise<Ec2Instance> {
    const found = await this.#lookUp(id, options);
    if (found.instance !== undefined) return found.instance;
    throw instanceNotFound(`instance ${id} does not exist`, { cause: found.cause });
  }

  /** Lists the instances that Karpenter launched for the cluster, and replaces the cache. */
  async list(): Promise<readonly Ec2Instance[]> {
    const { reservedCapacity } = this.#options;
    // Converts each page as it arrives, so that the event loop runs between two pages.
    const instances = await allPages(
      (token) =>
        this.#options.ec2.describeInstances({
          // All three tags: garbage collection must not see instances that Karpenter did not launch for the cluster.
          Filters: [
            { Name: 'tag-key', Values: [tagKeys.nodePool] },
            { Name: 'tag-key', Values: [tagKeys.ec2NodeClass] },
            { Name: `tag:${tagKeys.eksClusterName}`, Values: [this.#options.clusterName] },
            livingStates,
          ],
          MaxResults: 1000,
          ...pageAfter(token),
        }),
      ({ Reservations }) =>
        Reservations?.flatMap(({ Instances = [] }) =>
          Instances.map((one) => instanceFromEc2(one, reservedCapacity)),
        ),
    );
    this.#replaceKnown(instances);
    return instances.map((instance) =>
      this.#mayBeAwaited(instance) ? { ...instance, mayBeAwaited: true } : instance,
    );
  }

  /** Starts the termination of an instance. Callers repeat the call until it returns 'gone'. */
  async delete(id: string): Promise<Termination> {
    const known = this.#known.get(id);
    // Read before `#terminate`, which drops an instance that EC2 does not describe from the cache.
    const isNew = known !== undefined && this.#isNew(known);
    const termination = await this.#terminate(id);
    if (termination === 'terminating' || !isNew) return termination;
    // EC2 is eventually consistent and does not describe the new instance yet; a later call finds it.
    this.remember(known);
    return 'terminating';
  }

  async #terminate(id: string): Promise<Termination> {
    // Cached entries do not expire, so the cache may show an instance that ended long ago.
    const instance = await this.get(id, { skipCache: true });
    if (instance === undefined) return 'gone';
    if (this.#isInShiftedZone(instance)) throw inShiftedZone(instance, 'termination');
    if (isTerminating(instance)) return 'terminating';
    const { zone, zoneId = '' } = instance;
    try {
      await this.#options.batched.terminateInstance(id);
      // `get` reads this cache, which would still show the instance as running.
      this.#known.set(id, { ...instance, state: 'shutting-down' });
      return 'terminating';
    } catch (error) {
      if (isNotFound(error)) return this.#gone(id);
      this.#options.onTerminationFailure?.({ zone, zone_id: zoneId });
      throw error;
    }
  }

  /** During a zonal shift rejects for cached instances only, as in Karpenter: the zone of others is not known here. */
  async createTags(id: string, tags: Readonly<Record<string, string>>): Promise<'tagged' | 'gone'> {
    const known = this.#known.get(id);
    if (known !== undefined && this.#isInShiftedZone(known)) throw inShiftedZone(known, 'tag creation');
    try {
      await this.#options.ec2.createTags({ Resources: [id], Tags: ec2Tags(tags) });
      return 'tagged';
    } catch (error) {
      if (isNotFound(error)) return this.#gone(id);
      throw error;
    }
  }

  async #lookUp(id: string, { skipCache = false }: GetOptions = {}): Promise<Lookup> {
    const known = this.#known.get(id);
    if (known !== undefined && (!skipCache || this.#isInShiftedZone(known))) return { instance: known };
    const found = await this.#describe(id);
    if (found.instance === undefined) this.#forget(id);
    else this.#see(found.instance);
    return found;
  }

  async #describe(id: string): Promise<Lookup> {
    const input = { InstanceIds: [id], Filters: [livingStates] };
    try {
      const described = await this.#options.batched.describeInstance(input);
      return { instance: described && instanceFromEc2(described, this.#options.reservedCapacity) };
    } catch (error) {
      if (isNotFound(error)) return { instance: undefined, cause: error };
      throw error;
    }
  }

  #gone(id: string): 'gone' {
    this.#forget(id);
    return 'gone';
  }

  #replaceKnown(instances: readonly Ec2Instance[]): void {
    const listed = new Set(instances.map(({ id }) => id));
    for (const [id, known] of this.#known) {
      if (!listed.has(id) && !this.#isInShiftedZone(known) && !this.#isNew(known)) this.#forget(id);
    }
    for (const instance of instances) this.#see(instance);
  }

  #see(instance: Ec2Instance): void {
    this.#known.set(instance.id, instance);
    this.#unseen.delete(instance.id);
  }

  #forget(id: string): void {
    this.#known.delete(id);
    this.#unseen.delete(id);
  }

  /** Whether EC2 may not list or describe the instance yet, so that a missing result does not mean it is gone. */
  #isNew(instance: Ec2Instance): boolean {
    return this.#unseen.has(instance.id) && this.#mayBeAwaited(instance);
  }

  #mayBeAwaited(instance: Ec2Instance): boolean {
    return this.#options.launches?.mayAwait(instance) === true;
  }

  #isInShiftedZone({ zoneId }: Ec2Instance): boolean {
    return zoneId !== undefined && this.#options.isShifted(zoneId);
  }
}

function inShiftedZone({ id, zone, zoneId = '' }: Ec2Instance, skipped: string): CodedError {
  return new CodedError(
    'instance-in-shifted-zone',
    `instance ${id} is in zonally shifted availability zone ${zone} (${zoneId}), skipping ${skipped}`,
    { details: { id, zone, zoneId } },
  );
}
