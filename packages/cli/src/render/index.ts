export { type CompletedClass, completeClass, type GivenFacts } from './aws-facts.ts';
export { anyNodePool, claimOf } from './pool-claim.ts';
export {
  fleetJson,
  type RenderedFacts,
  type RenderedLaunch,
  renderLaunch,
  templateJson,
  userDataText,
} from './rendered-launch.ts';
