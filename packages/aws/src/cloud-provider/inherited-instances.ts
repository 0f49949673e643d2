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

const timestampPrecision = 1_000;
const remembered = 10_000;

type LaunchRequirements = ReturnType<typeof launchRequirements>;

/**
 * Instances that an earlier leader has started and did not live to write down. A claim that is older than the lead of
 * this process may have one, and must not get a second.
 */
export class InheritedInstances {
  readonly #options: InheritedInstancesOptions;
  /** When this process began to lead… */
  #since: number;
  /** …and when an earlier leader can have started its last instance. */
  #lastStart: number;
  /** The claims that were there by then. */
  #present: ReadonlySet<string> = new Set();
  /** Which claim each instance was given to, by uid. */
  readonly #owners = new Map<string, string>();
  readonly #lists = new SharedCalls<'all', readonly Ec2Instance[]>();

  constructor(options: InheritedInstancesOptions) {
    this.#options = options;
    this.#since = options.clock.now();
    this.#lastStart = this.#since;
  }

  /** This process begins to lead, and nobody else has for so long: whatever is there now is another's work. */
  takeOver(quiet: DurationMs): void {
    const { nodeClaims, clock } = this.#options;
    this.#since = clock.now();
    this.#lastStart = this.#since - quiet;
    this.#present = new Set(nodeClaims.list().map(uidOf));
  }

  /**
   * One that was started for the claim, or for another of its batch, without the knowledge of this process. Looked for
   * where there may be one: an earlier leader may have launched the claim, or EC2 says that a request was carried out.
   */
  async take(claim: NodeClaim, types: readonly InstanceType[]): Promise<Launched | undefined> {
    const { clock, batches } = this.#options;
    const batch = recordedBatch(claim);
    const mismatch = batch === undefined ? undefined : batches.lastMismatch(batch);
    const found = mismatch === undefined ? undefined : await this.#takeFirst(claim, types);
    if (found !== undefined) return found;
    const lastStart = mismatch ?? (this.#mayInherit(claim) ? this.#lastStart : undefined);
    if (lastStart === undefined) return undefined;
    // What was started right before may not be listed yet.
    await clock.sleep(durationMs(lastStart + launchTuning.inheritanceDelay - clock.now()));
    return this.#takeFirst(claim, types);
  }

  /**
   * Gives an instance that EC2 has answered with to the claim. False if another claim has it: an earlier leader may have
   * started it for this claim, and a claim that asked for the same was faster.
   */
  own(claim: NodeClaim, instance: Ec2Instance): boolean {
    const owner = this.#owners.get(instance.id) ?? this.#namedBy(instance);
    if (owner !== undefined && owner !== uidOf(claim)) return false;
    this.#give(instance, claim);
    return true;
  }

  /** Those of long ago are named by their claims. */
  #give({ id }: Ec2Instance, claim: NodeClaim): void {
    this.#owners.set(id, uidOf(claim));
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > remembered && oldest !== undefined) this.#owners.delete(oldest);
  }

  async #takeFirst(claim: NodeClaim, types: readonly InstanceType[]): Promise<Launched | undefined> {
    const { instances, nodeClaims } = this.#options;
    // A whole batch asks at the same time.
    const listed = await this.#lists.call('all', () => instances.list());
    // Nothing is awaited from here on, or two claims could take the same.
    const named = new Set(nodeClaims.list().map(({ status }) => status?.providerID));
    const catalogue = catalogueOf(types);
    const required = launchRequirements(claim, catalogue);
    for (const instance of listed) {
      const isTaken = this.#owners.has(instance.id) || named.has(providerIdOf(instance));
      if (isTerminating(instance) || isTaken || !this.#mayTake(instance) || !couldBelongTo(instance, claim))
        continue;
      const type = catalogue.types.find(({ name }) => name === instance.type);
      if (type === undefined || !isAsRequired(instance, type, required)) continue;
      this.#give(instance, claim);
      return { instance, type: type.type };
    }
    return undefined;
  }

  /** Those that carry no batch were started by a release that did not record it, before this process began to lead. */
  #mayTake({ tags, launchTime }: Ec2Instance): boolean {
    // EC2 has a clock of its own, which may be ahead.
    const latest = this.#since + launchTuning.inheritanceDelay;
    return tags[tagKeys.launchBatch] !== undefined || launchTime <= latest;
  }

  #namedBy(instance: Ec2Instance): string | undefined {
    const providerId = providerIdOf(instance);
    const owner = this.#options.nodeClaims.list().find(({ status }) => status?.providerID === providerId);
    return owner && uidOf(owner);
  }

  /**
   * A claim whose batch another process has assigned. Releases that did not record batches leave claims that were there,
   * or that the API server has dated before. Times of creation are whole seconds: claims that this process makes within
   * its first second must not wait.
   */
  #mayInherit(claim: NodeClaim): boolean {
    const batch = recordedBatch(claim);
    if (batch !== undefined && this.#options.batches.isForeign(batch)) return true;
    const created = Date.parse(claim.metadata.creationTimestamp ?? '');
    return this.#present.has(uidOf(claim)) || created + timestampPrecision <= this.#since;
  }
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}

function isAsRequired(instance: Ec2Instance, type: LaunchableType, required: LaunchRequirements): boolean {
  const { zone, capacityType } = instance;
  const isOffered = type.offerings.some(
    (offering) =>
      offering.zone === zone && offering.capacityType === capacityType && isCompatible(offering, required),
  );
  return isOffered && isCompatibleType(type, required) && fits(required.requests, type.allocatable);
}
