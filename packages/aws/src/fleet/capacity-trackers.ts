import type { CapacityType } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import type { OfferingName, UnavailableOffering } from '../offerings/index.ts';
import type { LaunchErrorEffect } from './fleet-errors.ts';

/** Records the offerings for which EC2 had no capacity. */
export interface UnavailableOfferingTracker {
  markUnavailable(shortage: UnavailableOffering): void;
  markLaunched(offering: OfferingName): void;
  markCapacityTypeUnavailable(capacityType: CapacityType): void;
  markSubnetUnavailable(subnetId: string): void;
  /** For offerings that were not requested and resemble those without capacity. Returns how long the mark lasts. */
  markSuspect(offerings: readonly OfferingName[]): DurationMs;
}

/** Counts the capacity that launches take from reservations and terminations return. */
interface ReservationTracker {
  markLaunched(reservationId: string): void;
  markTerminated(reservationId: string): void;
  markUnavailable(reservationId: string): void;
}

export interface CapacityTrackers {
  readonly unavailableOfferings: UnavailableOfferingTracker;
  readonly reservations: ReservationTracker;
  readonly subnets: { markExhausted(subnetId: string): void };
}

export function recordLaunchError(
  effect: LaunchErrorEffect,
  trackers: CapacityTrackers,
  fleetId?: string,
): void {
  switch (effect.kind) {
    case 'offering-unavailable':
      trackers.unavailableOfferings.markUnavailable({ ...effect, fleetId });
      return;
    case 'capacity-type-unavailable':
      trackers.unavailableOfferings.markCapacityTypeUnavailable(effect.capacityType);
      return;
    case 'subnet-exhausted':
      // The mark excludes a zone that has no other subnet; the count steers launches to other subnets of the zone.
      trackers.unavailableOfferings.markSubnetUnavailable(effect.subnetId);
      trackers.subnets.markExhausted(effect.subnetId);
      return;
    case 'reservation-exhausted':
      trackers.reservations.markUnavailable(effect.reservationId);
  }
}
