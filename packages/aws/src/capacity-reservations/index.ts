/**
 * Resolves capacityReservationSelectorTerms of an EC2NodeClass and reports free capacity. Calls
 * DescribeCapacityReservations only. Start with reservation-provider.ts.
 */

export { CapacityReservationProvider } from './reservation-provider.ts';
export { untilNextReconcile } from './reservation-status.ts';
