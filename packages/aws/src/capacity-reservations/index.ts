/**
 * Resolves capacityReservationSelectorTerms of an EC2NodeClass and reports free capacity. Calls
 * DescribeCapacityReservations only. Start with reservation-provider.ts.
 */

export { CapacityReservationProvider, type ReservationProviderOptions } from './reservation-provider.ts';
export { reservationQuery } from './reservation-queries.ts';
export { reservationStatus, untilNextReconcile } from './reservation-status.ts';
