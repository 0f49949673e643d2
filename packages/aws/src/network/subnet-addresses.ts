import type { CapacityType } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { DurationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { ExpiringMap, ObjectCache } from '../caching/index.ts';
import {
  type CatalogueRequirements,
  capacityOf,
  chosenOfferings,
  type LaunchableType,
} from '../launchable/index.ts';
import type { SubnetStatus } from '../node-class/index.ts';

/** The subnets that a launch may use, one per zone, with addresses reserved in them. */
export interface SubnetLease {
  readonly byZone: ReadonlyMap<string, SubnetStatus>;
  /** Releases the addresses in subnets that the launch did not use. Called once, when the result is known. */
  settle(usedSubnetIds: ReadonlySet<string>): void;
}

/** A launch that needs subnets. */
export interface LeaseRequest {
  readonly subnets: readonly SubnetStatus[];
  readonly types: readonly LaunchableType[];
  readonly capacityType: CapacityType;
  readonly required: CatalogueRequirements;
}

interface Reserved {
  readonly subnetId: string;
  readonly addresses: number;
  /** EC2's figure at the time of the reservation. */
  readonly reported: number | undefined;
}

/**
 * Free addresses of subnets. EC2 reports them with a delay, so between two reports each launch subtracts what
 * it may use. Otherwise a burst of launches would all choose the same subnet and exhaust it.
 */
export class SubnetAddresses {
  readonly #reported: ExpiringMap<string, number>;
  readonly #predicted = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>, lifetime: DurationMs) {
    this.#reported = new ExpiringMap({ clock, lifetime });
  }

  /** Records EC2's figure. It replaces the prediction, as in Karpenter, although launches may still be under way. */
  read(subnetId: string, free: number): void {
    this.#reported.set(subnetId, free);
    this.#predicted.delete(subnetId);
  }

  free(subnetId: string): number {
    return this.#predicted.get(subnetId) ?? this.#reported.get(subnetId) ?? 0;
  }

  /** Sets a subnet to 0 after a launch failed for lack of addresses, until EC2 reports again. */
  markExhausted(subnetId: string): void {
    this.#predicted.set(subnetId, 0);
  }

  /**
   * Chooses the subnet with the most free addresses per zone
   * and reserves what a node may need. Throws if there is none.
   */
  lease(request: LeaseRequest): SubnetLease {
    const byZone = this.#freestByZone(request.subnets);
    if (byZone.size === 0) throw new CodedError('unresolved-node-class', 'no subnets matched selector');
    const reserved = [...byZone].map(([zone, { id }]) => this.#reserve(id, addressesFor(zone, request)));
    return {
      byZone,
      settle: (used) => this.#release(reserved.filter(({ subnetId }) => !used.has(subnetId))),
    };
  }

  #freestByZone(subnets: readonly SubnetStatus[]): ReadonlyMap<string, SubnetStatus> {
    const byZone = new Map<string, SubnetStatus>();
    for (const subnet of subnets) {
      const best = byZone.get(subnet.zone);
      // Strictly more: of equal subnets the first in the status wins, as in Karpenter.
      if (best === undefined || this.free(subnet.id) > this.free(best.id)) byZone.set(subnet.zone, subnet);
    }
    return byZone;
  }

  #reserve(subnetId: string, addresses: number): Reserved {
    const reported = this.#reported.get(subnetId);
    this.#predicted.set(subnetId, this.free(subnetId) - addresses);
    return { subnetId, addresses, reported };
  }

  #release(reservations: readonly Reserved[]): void {
    for (const { subnetId, addresses, reported } of reservations) {
      const current = this.#predicted.get(subnetId);
      // EC2 has reported since: its figure no longer contains the reservation.
      if (current === undefined || this.#reported.get(subnetId) !== reported) continue;
      this.#predicted.set(subnetId, current + addresses);
    }
  }
}

const addressesByTypes = new ObjectCache<readonly LaunchableType[], number>();

/** Fewest addresses that a node of the launch may use in the zone, at one address per pod. */
function addressesFor(zone: string, request: LeaseRequest): number {
  const { types, capacityType, required } = request;
  const inputs = [zone, capacityType, required.requirements];
  return addressesByTypes.get(types, inputs, () => fewestAddresses(zone, request));
}

function fewestAddresses(zone: string, { types, capacityType, required }: LeaseRequest): number {
  const pods = types
    .filter((type) =>
      chosenOfferings(type, capacityType, required).some((offering) => offering.zone === zone),
    )
    .map((type) => capacityOf(type, 'pods'));
  return pods.length === 0 ? 0 : Math.min(...pods);
}
