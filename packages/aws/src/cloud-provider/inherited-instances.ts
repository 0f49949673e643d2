import type { NodeClaim } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { durationMs, fits } from '@karpenter/core/values';
import type { WatchCache } from '@karpenter/kube/cache';
import type { Clock } from '@karpenter/kube/runtime';
import { type Launched, launchRequirements } from '../fleet/index.ts';
import {
  type Ec2Instance,
  type InstanceProvider,
  isGoing,
  mayBeFor,
  providerIdOf,
} from '../instances/index.ts';
import { catalogueOf, isWanted, type LaunchableType } from '../launchable/index.ts';
import { launchTuning } from '../names/index.ts';

export interface InheritedInstancesOptions {
  readonly instances: Pick<InstanceProvider, 'list'>;
  readonly nodeClaims: Pick<WatchCache<NodeClaim>, 'list'>;
  readonly clock: Clock;
}

type Wish = ReturnType<typeof launchRequirements>;

/**
 * Instances that an earlier process has started and did not live to write down. A claim that is older than this
 * process may have one, and must not get a second.
 */
export class InheritedInstances {
  readonly #options: InheritedInstancesOptions;
  readonly #since: number;
  readonly #taken = new Set<string>();

  constructor(options: InheritedInstancesOptions) {
    this.#options = options;
    this.#since = options.clock.now();
  }

  /** One that was started for the claim, or for another that asked for the same. */
  async take(claim: NodeClaim, types: readonly InstanceType[]): Promise<Launched | undefined> {
    const { instances, nodeClaims, clock } = this.#options;
    if (!this.#mayInherit(claim)) return undefined;
    // What was started right before the end may not be listed yet.
    await clock.sleep(durationMs(this.#since + launchTuning.inheritanceDelay - clock.now()));
    const listed = await instances.list();
    // Nothing is awaited from here on, or two claims could take the same.
    const named = new Set(nodeClaims.list().map(({ status }) => status?.providerID));
    const free = listed.filter((one) => this.#isFree(one) && !named.has(providerIdOf(one)));
    const catalogue = catalogueOf(types);
    const wish = launchRequirements(claim, catalogue);
    for (const instance of free) {
      const type = catalogue.types.find(({ name }) => name === instance.type);
      if (type === undefined || !mayBeFor(instance, claim) || !isAsRequired(instance, type, wish)) continue;
      this.#taken.add(instance.id);
      return { instance, type: type.type };
    }
    return undefined;
  }

  /** What this process starts is nobody else's. */
  exclude({ id }: Ec2Instance): void {
    this.#taken.add(id);
  }

  #mayInherit({ metadata }: NodeClaim): boolean {
    return Date.parse(metadata.creationTimestamp ?? '') <= this.#since;
  }

  #isFree(instance: Ec2Instance): boolean {
    return !isGoing(instance) && instance.launchTime <= this.#since && !this.#taken.has(instance.id);
  }
}

function isAsRequired(instance: Ec2Instance, type: LaunchableType, wish: Wish): boolean {
  const { zone, capacityType } = instance;
  const isOffered = type.offerings.some(
    (offering) =>
      offering.zone === zone && offering.capacityType === capacityType && isWanted(offering, wish),
  );
  return isOffered && isWanted(type, wish) && fits(wish.requests, type.allocatable);
}
