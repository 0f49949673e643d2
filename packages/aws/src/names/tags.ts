/** Keys of the tags on created AWS resources. */
export const tagKeys = {
  name: 'Name',
  nodePool: 'karpenter.sh/nodepool',
  nodeClaim: 'karpenter.sh/nodeclaim',
  ec2NodeClass: 'karpenter.k8s.aws/ec2nodeclass',
  eksClusterName: 'eks:eks-cluster-name',
  /** The batch of NodeClaims that the instance was launched for. */
  launchBatch: 'karpenter.k8s.aws/launch-batch',
  region: 'topology.kubernetes.io/region',
} as const;

/** Key of the tag that marks resources of a cluster, with the value {@link clusterTagValue}. */
export function clusterTagKey(clusterName: string): string {
  return `kubernetes.io/cluster/${clusterName}`;
}

export const clusterTagValue = 'owned';

/** Tags that Karpenter sets itself, so that an EC2NodeClass may not. */
export const restrictedTagKeys: readonly string[] = [
  tagKeys.nodePool,
  tagKeys.nodeClaim,
  tagKeys.ec2NodeClass,
  tagKeys.eksClusterName,
];
const clusterTagPattern = /^kubernetes\.io\/cluster\/[0-9A-Za-z][A-Za-z0-9\-_]*$/;

/** Whether a tag is reserved for Karpenter, so that an EC2NodeClass may not set it. */
export function isRestrictedTag(key: string): boolean {
  return restrictedTagKeys.includes(key) || clusterTagPattern.test(key);
}

/** Prefix of launch template names; the hash of their content follows. */
export const launchTemplateNamePrefix = 'karpenter.k8s.aws/';
