/**
 * The AWS cloud provider. In production the AWS SDK implements its interfaces to AWS (`ports`, bound in `sdk`), in the
 * simulator an account in memory. Reads and writes the cluster only through `@karpenter/kube`. Start with `provider/build-provider.ts`, which
 * wires everything, then `cloud-provider/aws-cloud-provider.ts`, which the controllers call.
 */

export { admitNodeClass, knownInstanceTypes } from './admission/index.ts';
export { type AmiFamilyName, amiFamilies, amiFamilyOf } from './ami-family/index.ts';
export { awsErrorFields } from './aws-errors/index.ts';
export { batchedEc2 } from './batching/index.ts';
export { CapacityReservationProvider } from './capacity-reservations/index.ts';
export { ClusterCidr } from './cluster-network/index.ts';
export {
  type AwsControllerOptions,
  awsControllers,
  awsRefreshControllers,
  type SizedNode,
  type WatchedCluster,
} from './controllers/index.ts';
export { customResources } from './custom-resources.ts';
export {
  chooseCapacityType,
  chooseTenancy,
  chooseTypes,
  fleetRequest,
  Launcher,
  type NamedTemplate,
} from './fleet/index.ts';
export {
  ImageProvider,
  ParameterStore,
} from './images/index.ts';
export { InstanceProfileProvider } from './instance-profiles/index.ts';
export {
  ec2Knowledge,
  InstanceTypeProvider,
  instanceTypesFor,
} from './instance-type-provider/index.ts';
export {
  allocatableOf,
  burstOf,
  classFactsOf,
  type DescribedType,
  DiscoveredMemory,
  discoverTypes,
  instanceShape,
  type NodeFacts,
  type ReadClass,
  RequirementPool,
  type SizeSettings,
  typeRequirements,
} from './instance-types/index.ts';
export {
  claimFieldsOf,
  InstanceProvider,
  LaunchesInFlight,
  orphansOf,
} from './instances/index.ts';
export {
  CapacityBlockController,
  InstanceStatusController,
  InterruptionController,
  InterruptionHandler,
  KubeCluster,
  type NodeWithProvider,
  RebalanceController,
} from './interruption/index.ts';
export { ec2NodeClasses, nodeClaims, nodePools } from './kinds.ts';
export { LaunchBatches } from './launch-batches/index.ts';
export {
  createTemplateRequest,
  type LaunchFacts,
  LaunchTemplateProvider,
  launchTemplateName,
  planTemplates,
} from './launch-templates/index.ts';
export {
  awsControllerNames,
  awsEvents,
  awsLabelDomain,
  awsLabelKeys,
  awsLabelPolicy,
  awsMetrics,
  awsResources,
  awsSdkMetrics,
  ec2NodeClassStatusMetrics,
} from './names/index.ts';
export {
  SecurityGroupProvider,
  SubnetAddresses,
  SubnetProvider,
} from './network/index.ts';
export type {
  EC2NodeClass,
  EC2NodeClassSpec,
  EC2NodeClassStatus,
} from './node-class/index.ts';
export {
  type OfferingMarket,
  ReservationCounts,
  UnavailableOfferings,
} from './offerings/index.ts';
export { PricingProvider } from './pricing/index.ts';
export {
  type AwsProvider,
  type AwsProviderOptions,
  awsProvider,
  type ClusterConnection,
  callMetrics,
  clusterEndpoint,
  type EndpointSources,
} from './provider/index.ts';
export {
  awsServices,
  discoverRegion,
} from './sdk/index.ts';
export { type AwsSettings, awsSettings } from './settings/index.ts';
export { launchTags } from './tags/index.ts';
export {
  type Bootstrap,
  userDataFor,
} from './user-data/index.ts';
export { fencedServices } from './write-fence/index.ts';
