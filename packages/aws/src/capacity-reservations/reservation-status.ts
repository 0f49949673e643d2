import type { CapacityReservation } from '@aws-sdk/client-ec2';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { awsReconcilePeriods, launchTuning } from '../names/index.ts';
import type { CapacityReservationStatus } from '../node-class/index.ts';

const matchCriteria = ['open', 'targeted'] as const;
const reservationTypes = ['default', 'capacity-block'] as const;

/** As `status.capacityReservations` has it; undefined for one of a kind that is not known. */
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

/** EC2 ends the instances of a capacity block itself, some time before its end; ordinary ones just fall out. */
function isExpiring({ ReservationType, EndDate }: CapacityReservation, now: Instant): boolean {
  if (ReservationType !== 'capacity-block' || EndDate === undefined) return false;
  return now >= EndDate.getTime() - launchTuning.capacityBlockLead;
}

export function hasEnded({ EndDate }: CapacityReservation, now: Instant): boolean {
  return EndDate !== undefined && EndDate.getTime() <= now;
}

/** When to look again: soon, and sooner if one of them ends. */
export function nextLook(reservations: readonly CapacityReservationStatus[], now: Instant): DurationMs {
  const ends = reservations.flatMap(({ endTime }) => (endTime === undefined ? [] : [Date.parse(endTime)]));
  const left = Math.min(...ends.map((end) => end - now), awsReconcilePeriods.capacityReservations);
  return durationMs(Math.max(0, left));
}

/** Kubernetes writes times without fractions of a second. */
function secondsText(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
