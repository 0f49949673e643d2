/**
 * Launches the instance of a NodeClaim: chooses capacity type and instance types, ensures launch templates, sends
 * CreateFleet and records unavailable offerings from its errors. Calls EC2 only through `../batching` and
 * `../launch-templates`. Start with `launcher.ts`, then `type-choice.ts` and
 * `fleet-request.ts`.
 */

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
