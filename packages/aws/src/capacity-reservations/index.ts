export { CapacityReservationProvider, type ReservationProviderOptions } from './reservation-provider.ts';
export { reservationQuery } from './reservation-queries.ts';
export { nextLook, reservationStatus } from './reservation-status.ts';
