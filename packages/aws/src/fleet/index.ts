export { launchObstacle } from './class-readiness.ts';
export { type LaunchErrorEffect, launchErrorEffects } from './fleet-errors.ts';
export { type FleetFacts, fleetRequest, type NamedTemplate } from './fleet-request.ts';
export {
  type CountedFailure,
  type Launched,
  Launcher,
  type LauncherOptions,
  type LaunchRequest,
  type LaunchSettings,
} from './launcher.ts';
export type { CapacityTrackers, ReservationTracker, ShortageTracker } from './shortages.ts';
export {
  type ChosenTypes,
  chooseCapacityType,
  chooseTenancy,
  chooseTypes,
  flexibilityWarning,
  launchRequirements,
} from './type-choice.ts';
