/**
 * Tracks ARC zonal shifts of the cluster, so that no instance launches in a zone that traffic is shifted away
 * from. Calls EKS (for the ARN) and ARC Zonal Shift, and changes nothing. Start with `zonal-shifts.ts`.
 */

export { ZonalShifts } from './zonal-shifts.ts';
