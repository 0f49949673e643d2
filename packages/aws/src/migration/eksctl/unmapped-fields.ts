import type { FindingList } from '../finding.ts';
import type { EksctlFields } from './fields.ts';

/** Fields that the mapping reads; their findings are reported with the manifests. */
const read = new Set([
  'additionalVolumes',
  'ami',
  'amiFamily',
  'availabilityZones',
  'bottlerocket',
  'capacityReservation',
  'clusterDNS',
  'desiredCapacity',
  'disableIMDSv1',
  'disablePodIMDS',
  'efaEnabled',
  'enableDetailedMonitoring',
  'iam',
  'instanceSelector',
  'instanceType',
  'instanceTypes',
  'instancesDistribution',
  'kubeletExtraConfig',
  'labels',
  'maxPodsPerNode',
  'maxSize',
  'minSize',
  'name',
  'placement',
  'preBootstrapCommands',
  'privateNetworking',
  'releaseVersion',
  'securityGroups',
  'snapshotID',
  'spot',
  'subnets',
  'tags',
  'taints',
  'volumeEncrypted',
  'volumeIOPS',
  'volumeKmsKeyID',
  'volumeName',
  'volumeSize',
  'volumeThroughput',
  'volumeType',
]);

const loadBalancers = 'nodes of Karpenter join no target group: use the AWS Load Balancer Controller';
const asgOnly = 'a setting of the Auto Scaling group, which Karpenter does not need';

/** Why a field has no equivalent, and what to do. */
const reasons: Readonly<Record<string, string>> = {
  ssh: 'nodes of Karpenter have no SSH key: use Session Manager',
  launchTemplate:
    'Karpenter makes its own launch templates: run the report on the live group to read its content',
  targetGroupARNs: loadBalancers,
  classicLoadBalancerNames: loadBalancers,
  overrideBootstrapCommand:
    'Karpenter generates the bootstrap: write what differs into EC2NodeClass spec.userData, or use amiFamily Custom',
  updateConfig: 'NodePool spec.disruption.budgets limit how many nodes are replaced at a time',
  nodeRepairConfig: 'the feature gate NodeRepair of the controller',
  asgMetricsCollection: asgOnly,
  asgSuspendProcesses: asgOnly,
  propagateASGTags: asgOnly,
  instanceName: 'Karpenter names instances after their node: set the tag Name in EC2NodeClass spec.tags',
  instancePrefix: 'Karpenter names instances after their node: set the tag Name in EC2NodeClass spec.tags',
  cpuCredits: 'Karpenter launches burstable types with the default of the account',
  outpostARN: 'Karpenter launches in the subnets of the EC2NodeClass: select those of the Outpost',
  maxInstanceLifetime: 'NodePool spec.template.spec.expireAfter',
  localZones: 'select the subnets of the local zones in the EC2NodeClass',
  containerRuntime: 'nodes run containerd',
};

const unmappedIam = [
  'withAddonPolicies',
  'attachPolicyARNs',
  'attachPolicy',
  'instanceRoleName',
  'instanceRolePermissionsBoundary',
];
const unmappedDistribution = ['maxPrice', 'spotInstancePools', 'spotAllocationStrategy', 'capacityRebalance'];

/** Reports every field of the group that the mapping does not read. */
export function reportFields(fields: EksctlFields, findings: FindingList): void {
  for (const name of fields.names)
    if (!read.has(name)) findings.unmapped(name, reasons[name] ?? 'Karpenter has no such setting');
  for (const name of fields.child('iam').names)
    if (unmappedIam.includes(name))
      findings.unmapped(`iam.${name}`, 'give the node role of the EC2NodeClass these policies');
  for (const name of fields.child('instancesDistribution').names)
    if (unmappedDistribution.includes(name))
      findings.unmapped(
        `instancesDistribution.${name}`,
        'Karpenter launches spot by price and capacity on its own',
      );
  const groups = fields.child('securityGroups');
  for (const name of ['withShared', 'withLocal'])
    if (groups.value(name) !== undefined)
      findings.unmapped(
        `securityGroups.${name}`,
        'name the groups that nodes need in EC2NodeClass spec.securityGroupSelectorTerms',
      );
}
