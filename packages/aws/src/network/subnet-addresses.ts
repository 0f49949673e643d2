import type { CapacityType } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { ExpiringMap } from '../caching/index.ts';
import { capacityOf, type LaunchableType, offeringsSoldAs, type Wanted } from '../launchable/index.ts';
import type { SubnetStatus } from '../node-class/index.ts';

/** Subnets that a launch may use, one for each zone, with the addresses it has set aside. */
export interface SubnetLease {
  readonly byZone: ReadonlyMap<string, SubnetStatus>;
  /** Gives back what was set aside in subnets that the launch did not use. */
  settle(usedSubnetIds: ReadonlySet<string>): void;
}

export interface LeaseRequest {
  readonly subnets: readonly SubnetStatus[];
  readonly types: readonly LaunchableType[];
  readonly capacityType: CapacityType;
  readonly wanted: Wanted;
}

interface Taken {
  readonly subnetId: string;
  readonly addresses: number;
  /** What EC2 had said when the addresses were set aside. */
  readonly reported: number | undefined;
}

/**
 * How many addresses subnets have left. EC2 tells with a delay, so between two of its answers launches are
 * reckoned with as they are made.
 */
export class SubnetAddresses {
  readonly #reported: ExpiringMap<string, number>;
  readonly #predicted = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>, lifetime: DurationMs) {
    this.#reported = new ExpiringMap({ clock, lifetime });
  }

  /** What EC2 says, which ends all guesses. */
  read(subnetId: string, free: number): void {
    this.#reported.set(subnetId, free);
    this.#predicted.delete(subnetId);
  }

  free(subnetId: string): number {
    return this.#predicted.get(subnetId) ?? this.#reported.get(subnetId) ?? 0;
  }

  markExhausted(subnetId: string): void {
    this.#predicted.set(subnetId, 0);
  }

  /** Chooses the subnet with the most addresses in each zone and sets aside what a node may need there. */
  lease(request: LeaseRequest): SubnetLease {
    const byZone = this.#roomiest(request.subnets);
    if (byZone.size === 0) throw new CodedError('unresolved-node-class', 'no subnets matched selector');
    const taken = [...byZone].map(([zone, { id }]) => this.#take(id, addressesFor(zone, request)));
    return { byZone, settle: (used) => this.#giveBack(taken.filter(({ subnetId }) => !used.has(subnetId))) };
  }

  #roomiest(subnets: readonly SubnetStatus[]): ReadonlyMap<string, SubnetStatus> {
    const byZone = new Map<string, SubnetStatus>();
    for (const subnet of subnets) {
      const best = byZone.get(subnet.zone);
      if (best === undefined || this.free(subnet.id) > this.free(best.id)) byZone.set(subnet.zone, subnet);
    }
    return byZone;
  }

  #take(subnetId: string, addresses: number): Taken {
    const reported = this.#reported.get(subnetId);
    this.#predicted.set(subnetId, this.free(subnetId) - addresses);
    return { subnetId, addresses, reported };
  }

  #giveBack(taken: readonly Taken[]): void {
    for (const { subnetId, addresses, reported } of taken) {
      const current = this.#predicted.get(subnetId);
      if (current === undefined || this.#reported.get(subnetId) !== reported) continue;
      this.#predicted.set(subnetId, current + addresses);
    }
  }
}

/** The least that a node takes which the launch may bring about in the zone: one address for each of its pods. */
function addressesFor(zone: string, { types, capacityType, wanted }: LeaseRequest): number {
  const pods = types
    .filter((type) => offeringsSoldAs(type, capacityType, wanted).some((offering) => offering.zone === zone))
    .map((type) => capacityOf(type, 'pods'));
  return pods.length === 0 ? 0 : Math.min(...pods);
}
