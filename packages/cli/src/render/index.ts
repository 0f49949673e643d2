// `karpenter render`: builds the EC2 requests of one launch from files, with the code of the AWS provider and without
// a call to AWS. Golden files beside the tests hold reviewed output. Start reading at `rendered-launch.ts`.

export { completeClass, type GivenFacts } from './aws-facts.ts';
export { anyNodePool, claimOf } from './pool-claim.ts';
export {
  cheapestLaunch,
  type RenderedLaunch,
  renderLaunch,
  templateRequests,
  userDataText,
} from './rendered-launch.ts';
