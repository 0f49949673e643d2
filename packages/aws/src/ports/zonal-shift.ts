import type { Call } from './call.ts';

/** `arc-zonal-shift:GetManagedResource`, as far as the provider reads it. */
export interface ManagedResource {
  readonly zonalShifts?: readonly ZonalShift[];
}

export interface ZonalShift {
  /** The zone id: `usw2-az1`. */
  readonly awayFrom: string;
  readonly appliedStatus: 'APPLIED' | 'NOT_APPLIED';
  readonly expiryTime: Date;
}

export interface ZonalShiftService {
  getManagedResource: Call<{ readonly resourceIdentifier: string }, ManagedResource>;
}
