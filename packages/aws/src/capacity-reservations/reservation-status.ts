import type { CapacityReservation } from '@aws-sdk/client-ec2';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { awsReconcilePeriods, launchTuning } from '../names/index.ts';
import type { CapacityReservationStatus } from '../node-class/index.ts';

const matchCriteria = ['open', 'targeted'] as const;
const reservationTypes = ['default', 'capacity-block'] as const;

/** Returns the entry of `status.capacityReservations`; undefined for an unknown match criteria or type. */
export function reservationStatus(
  reservation: CapacityReservation,
  now: Instant,
): CapacityReservationStatus | undefined {
  const criteria = matchCriteria.find((known) => known === reservation.InstanceMatchCriteria);
  const type = reservationTypes.find((known) => known === (reservation.ReservationType ?? 'default'));
  if (criteria === undefined || type === undefined) return undefined;
  return {
    id: reservation.CapacityReservationId ?? '',
    availabilityZone: reservation.AvailabilityZone ?? '',
    instanceType: reservation.InstanceType ?? '',
    instanceMatchCriteria: criteria,
    ownerID: reservation.OwnerId ?? '',
    ...(reservation.EndDate !== undefined && { endTime: secondsText(reservation.EndDate) }),
    interruptible: reservation.Interruptible ?? false,
    reservationType: type,
    state: isExpiring(reservation, now) ? 'expiring' : 'active',
  };
}

/**
 * EC2 terminates the instances of a capacity block before its end; those of other reservations keep running.
 */
function isExpiring({ ReservationType, EndDate }: CapacityReservation, now: Instant): boolean {
  if (ReservationType !== 'capacity-block' || EndDate === undefined) return false;
  return now >= EndDate.getTime() - launchTuning.capacityBlockLead;
}

/** Whether the end date has passed; a cached response may be older than that. */
export function hasEnded({ EndDate }: CapacityReservation, now: Instant): boolean {
  return EndDate !== undefined && EndDate.getTime() <= now;
}

/** Returns when to reconcile next: after the usual period, or when a reservation ends. */
export function untilNextReconcile(
  reservations: readonly CapacityReservationStatus[],
  now: Instant,
): DurationMs {
  const ends = reservations.flatMap(({ endTime }) => (endTime === undefined ? [] : [Date.parse(endTime)]));
  const left = Math.min(...ends.map((end) => end - now), awsReconcilePeriods.capacityReservations);
  return durationMs(Math.max(0, left));
}

/** Formats a time without fractions of a second, as metav1.Time does. */
function secondsText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
