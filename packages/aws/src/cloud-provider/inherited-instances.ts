import type { NodeClaim } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { type DurationMs, durationMs, fits } from '@karpenter/core/values';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Clock } from '@karpenter/kube/runtime';
import { SharedCalls } from '../caching/index.ts';
import { type Launched, launchRequirements } from '../fleet/index.ts';
import {
  couldBelongTo,
  type Ec2Instance,
  type InstanceProvider,
  isTerminating,
  providerIdOf,
} from '../instances/index.ts';
import { type LaunchBatches, recordedBatch } from '../launch-batches/index.ts';
import { catalogueOf, isCompatible, isCompatibleType, type LaunchableType } from '../launchable/index.ts';
import { launchTuning, tagKeys } from '../names/index.ts';

export interface InheritedInstancesOptions {
  readonly instances: Pick<InstanceProvider, 'list'>;
  readonly nodeClaims: Pick<WatchCache<NodeClaim>, 'list'>;
  readonly batches: Pick<LaunchBatches, 'isForeign' | 'lastMismatch'>;
  readonly clock: Clock;
}

/** Creation timestamps of Kubernetes objects are whole seconds. */
const timestampPrecision = 1_000;
/** Limits the memory for owners. The oldest are dropped first: their claims have a provider ID by then. */
const maxOwners = 10_000;

type LaunchRequirements = ReturnType<typeof launchRequirements>;

/**
 * Instances that an earlier leader launched without recording them on a NodeClaim before it ended (ADR 0036). A claim
 * that an earlier leader may have launched adopts such an instance instead of getting a second one.
 */
export class InheritedInstances {
  readonly #options: InheritedInstancesOptions;
  /** When this process became the leader… */
  #since: number;
  /** …and the latest time at which an earlier leader can have launched an instance. */
  #lastStart: number;
  /** Uids of the claims that existed at that time. */
  #existing: ReadonlySet<string> = new Set();
  /** Uid of the claim that each instance was assigned to. */
  readonly #owners = new Map<string, string>();
  readonly #lists = new SharedCalls<'all', readonly Ec2Instance[]>();

  constructor(options: InheritedInstancesOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.#lastStart = this.#since;
  }

  /**
   * Called when this process becomes the leader. `quiet` is how long no other process has written: all claims and
   * instances that exist now come from others.
   */
  takeOver(quiet: DurationMs): void {
    const { nodeClaims, clock } = this.#options;
    this.#since = clock.now();
    this.#lastStart = this.#since - quiet;
    this.#existing = new Set(nodeClaims.list().map(uidOf));
  }

  /**
   * Adopts an instance that another process launched for the claim, or for another claim of its batch. Lists instances
   * only if there may be one: an earlier leader may have launched the claim, or EC2 has reported a used client token.
   */
  async take(claim: NodeClaim, types: readonly InstanceType[]): Promise<Launched | undefined> {
    const { clock, batches } = this.#options;
    const batch = recordedBatch(claim);
    const mismatch = batch === undefined ? undefined : batches.lastMismatch(batch);
    const found = mismatch === undefined ? undefined : await this.#takeFirst(claim, types);
    if (found !== undefined) return found;
    const lastStart = mismatch ?? (this.#mayInherit(claim) ? this.#lastStart : undefined);
    if (lastStart === undefined) return undefined;
    // EC2 is eventually consistent and may not list an instance that was launched right before.
    await clock.sleep(durationMs(lastStart + launchTuning.inheritanceDelay - clock.now()));
    return this.#takeFirst(claim, types);
  }

  /**
   * Assigns an instance of a fleet response to the claim. Returns false if another claim owns it: EC2 may replay the
   * response to a request of an earlier leader, and another claim of the batch may have adopted the instance before.
   */
  own(claim: NodeClaim, instance: Ec2Instance): boolean {
    const owner = this.#owners.get(instance.id) ?? this.#recordedOwner(instance);
    if (owner !== undefined && owner !== uidOf(claim)) return false;
    this.#assign(instance, claim);
    return true;
  }

  #assign({ id }: Ec2Instance, claim: NodeClaim): void {
    this.#owners.set(id, uidOf(claim));
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > maxOwners && oldest !== undefined) this.#owners.delete(oldest);
  }

  async #takeFirst(claim: NodeClaim, types: readonly InstanceType[]): Promise<Launched | undefined> {
    const { instances, nodeClaims } = this.#options;
    // Shared, because all claims of a batch list at the same time.
    const listed = await this.#lists.call('all', () => instances.list());
    // No await from here on, or two claims could adopt the same instance.
    const recorded = new Set(nodeClaims.list().map(({ status }) => status?.providerID));
    const catalogue = catalogueOf(types);
    const required = launchRequirements(claim, catalogue);
    for (const instance of listed) {
      const isTaken = this.#owners.has(instance.id) || recorded.has(providerIdOf(instance));
      if (isTerminating(instance) || isTaken || !this.#mayTake(instance) || !couldBelongTo(instance, claim))
        continue;
      const type = catalogue.types.find(({ name }) => name === instance.type);
      if (type === undefined || !isAsRequired(instance, type, required)) continue;
      this.#assign(instance, claim);
      return { instance, type: type.type };
    }
    return undefined;
  }

  /**
   * An instance without the batch tag comes from a release that did not record batches, so it must have been launched
   * before this process became the leader.
   */
  #mayTake({ tags, launchTime }: Ec2Instance): boolean {
    // The clock of EC2 may be ahead of ours.
    const latest = this.#since + launchTuning.inheritanceDelay;
    return tags[tagKeys.launchBatch] !== undefined || launchTime <= latest;
  }

  #recordedOwner(instance: Ec2Instance): string | undefined {
    const providerId = providerIdOf(instance);
    const owner = this.#options.nodeClaims.list().find(({ status }) => status?.providerID === providerId);
    return owner && uidOf(owner);
  }

  /**
   * Whether another process may have launched the claim: it assigned the batch, or, with a release that did not record
   * batches, the claim existed before this process became the leader. The precision of timestamps is added because
   * claims that this process creates within its first second must not wait.
   */
  #mayInherit(claim: NodeClaim): boolean {
    const batch = recordedBatch(claim);
    if (batch !== undefined && this.#options.batches.isForeign(batch)) return true;
    const created = Date.parse(claim.metadata.creationTimestamp ?? '');
    return this.#existing.has(uidOf(claim)) || created + timestampPrecision <= this.#since;
  }
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}

/** Whether the claim could have requested the instance: its type, zone, capacity type and size. */
function isAsRequired(instance: Ec2Instance, type: LaunchableType, required: LaunchRequirements): boolean {
  const { zone, capacityType } = instance;
  const isOffered = type.offerings.some(
    (offering) =>
      offering.zone === zone && offering.capacityType === capacityType && isCompatible(offering, required),
  );
  return isOffered && isCompatibleType(type, required) && fits(required.requests, type.allocatable);
}
