import type { Call } from './call.ts';

/** The fields of `arc-zonal-shift:GetManagedResource` that are read. */
export interface ManagedResource {
  readonly zonalShifts?: readonly ZonalShift[];
}

export interface ZonalShift {
  /** The zone id, such as `usw2-az1`. */
  readonly awayFrom: string;
  readonly appliedStatus: 'APPLIED' | 'NOT_APPLIED';
  readonly expiryTime: Date;
}

export interface ZonalShiftService {
  getManagedResource: Call<{ readonly resourceIdentifier: string }, ManagedResource>;
}
