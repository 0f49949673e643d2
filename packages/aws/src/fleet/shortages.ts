import type { CapacityType } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import type { OfferingName, Shortage } from '../offerings/index.ts';
import type { FleetLesson } from './fleet-errors.ts';

/** Where launches tell what EC2 could not deliver. */
export interface ShortageBook {
  markUnavailable(shortage: Shortage): void;
  markLaunched(offering: OfferingName): void;
  markCapacityTypeUnavailable(capacityType: CapacityType): void;
  markSubnetUnavailable(subnetId: string): void;
  /** For offerings that nobody asked for and that are like what could not be had; answers with how long it holds. */
  doubt(offerings: readonly OfferingName[]): DurationMs;
}

/** Where launches and terminations tell what they take from reservations and give back. */
export interface ReservationBook {
  markLaunched(reservationId: string): void;
  markTerminated(reservationId: string): void;
  markUnavailable(reservationId: string): void;
}

export interface Books {
  readonly shortages: ShortageBook;
  readonly reservations: ReservationBook;
  readonly subnets: { markExhausted(subnetId: string): void };
}

export function noteLesson(lesson: FleetLesson, books: Books, fleetId?: string): void {
  switch (lesson.learn) {
    case 'offering-unavailable':
      books.shortages.markUnavailable({ ...lesson, fleetId });
      return;
    case 'capacity-type-unavailable':
      books.shortages.markCapacityTypeUnavailable(lesson.capacityType);
      return;
    case 'subnet-exhausted':
      books.shortages.markSubnetUnavailable(lesson.subnetId);
      books.subnets.markExhausted(lesson.subnetId);
      return;
    case 'reservation-exhausted':
      books.reservations.markUnavailable(lesson.reservationId);
  }
}
