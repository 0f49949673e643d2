/** Keys of the tags on what is made in AWS. */
export const tagKeys = {
  name: 'Name',
  nodePool: 'karpenter.sh/nodepool',
  nodeClaim: 'karpenter.sh/nodeclaim',
  ec2NodeClass: 'karpenter.k8s.aws/ec2nodeclass',
  eksClusterName: 'eks:eks-cluster-name',
  region: 'topology.kubernetes.io/region',
} as const;

/** Marks what belongs to a cluster; its value is {@link clusterTagValue}. */
export function clusterTagKey(clusterName: string): string {
  return `kubernetes.io/cluster/${clusterName}`;
}

export const clusterTagValue = 'owned';

/** Tags that are set on everything that is made, and so not in an EC2NodeClass. */
export const restrictedTagKeys: readonly string[] = [
  tagKeys.nodePool,
  tagKeys.nodeClaim,
  tagKeys.ec2NodeClass,
  tagKeys.eksClusterName,
];
const clusterTagPattern = /^kubernetes\.io\/cluster\/[0-9A-Za-z][A-Za-z0-9\-_]*$/;

/** Whether an EC2NodeClass may not set a tag because the product sets it. */
export function isRestrictedTag(key: string): boolean {
  return restrictedTagKeys.includes(key) || clusterTagPattern.test(key);
}

/** Launch templates are named so, followed by the hash of what is in them. */
export const launchTemplateNamePrefix = 'karpenter.k8s.aws/';
