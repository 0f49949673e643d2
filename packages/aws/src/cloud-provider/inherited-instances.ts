import type { NodeClaim } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { type DurationMs, durationMs, fits } from '@karpenter/core/values';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Clock } from '@karpenter/kube/runtime';
import { type Launched, launchRequirements } from '../fleet/index.ts';
import {
  couldBelongTo,
  type Ec2Instance,
  type InstanceProvider,
  isTerminating,
  providerIdOf,
} from '../instances/index.ts';
import { catalogueOf, isCompatible, type LaunchableType } from '../launchable/index.ts';
import { launchTuning } from '../names/index.ts';

export interface InheritedInstancesOptions {
  readonly instances: Pick<InstanceProvider, 'list'>;
  readonly nodeClaims: Pick<WatchCache<NodeClaim>, 'list'>;
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

  /** One that an earlier leader started for the claim, or for another that asked for the same. */
  async take(claim: NodeClaim, types: readonly InstanceType[]): Promise<Launched | undefined> {
    const { clock } = this.#options;
    if (!this.#mayInherit(claim)) return undefined;
    // What was started right before the end may not be listed yet.
    await clock.sleep(durationMs(this.#lastStart + launchTuning.inheritanceDelay - clock.now()));
    // EC2 has a clock of its own, which may be ahead.
    const latest = this.#since + launchTuning.inheritanceDelay;
    return this.#takeFirst(claim, types, ({ launchTime }) => launchTime <= latest);
  }

  /** One that was started for the claim at any time, where it is certain that some request for it was carried out. */
  async find(claim: NodeClaim, types: readonly InstanceType[]): Promise<Launched | undefined> {
    return this.#takeFirst(claim, types, () => true);
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

  async #takeFirst(
    claim: NodeClaim,
    types: readonly InstanceType[],
    mayTake: (instance: Ec2Instance) => boolean,
  ): Promise<Launched | undefined> {
    const { instances, nodeClaims } = this.#options;
    const listed = await instances.list();
    // Nothing is awaited from here on, or two claims could take the same.
    const named = new Set(nodeClaims.list().map(({ status }) => status?.providerID));
    const catalogue = catalogueOf(types);
    const required = launchRequirements(claim, catalogue);
    for (const instance of listed) {
      const isTaken = this.#owners.has(instance.id) || named.has(providerIdOf(instance));
      if (isTerminating(instance) || isTaken || !mayTake(instance) || !couldBelongTo(instance, claim))
        continue;
      const type = catalogue.types.find(({ name }) => name === instance.type);
      if (type === undefined || !isAsRequired(instance, type, required)) continue;
      this.#give(instance, claim);
      return { instance, type: type.type };
    }
    return undefined;
  }

  #namedBy(instance: Ec2Instance): string | undefined {
    const providerId = providerIdOf(instance);
    const owner = this.#options.nodeClaims.list().find(({ status }) => status?.providerID === providerId);
    return owner && uidOf(owner);
  }

  /**
   * A claim that was there, or that the API server has dated before. Times of creation are whole seconds: claims that this
   * process makes within its first second must not wait.
   */
  #mayInherit(claim: NodeClaim): boolean {
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
  return isOffered && isCompatible(type, required) && fits(required.requests, type.allocatable);
}
