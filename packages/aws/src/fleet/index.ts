export { launchObstacle } from './class-readiness.ts';

export { fleetRequest, type NamedTemplate } from './fleet-request.ts';
export {
  type Launched,
  Launcher,
  type LauncherOptions,
  type LaunchRequest,
  type LaunchSettings,
} from './launcher.ts';

export {
  chooseCapacityType,
  chooseTenancy,
  chooseTypes,
  launchRequirements,
} from './type-choice.ts';
