export { type ZonalShiftOptions, ZonalShifts } from './zonal-shifts.ts';
