/**
 * From a NodeClaim to a running instance: chooses capacity type and instance types, asks for launch
 * templates, sends CreateFleet and records what its errors say about offerings. Calls EC2 through
 * `../batching` and `../launch-templates` only. Start with `launcher.ts`, then `type-choice.ts` and
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
