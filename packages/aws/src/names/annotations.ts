/** Annotations of the AWS provider. */
export const awsAnnotationKeys = {
  ec2NodeClassHash: 'karpenter.k8s.aws/ec2nodeclass-hash',
  ec2NodeClassHashVersion: 'karpenter.k8s.aws/ec2nodeclass-hash-version',
  instanceProfileName: 'karpenter.k8s.aws/instance-profile-name',
  /** The instance is tagged. The second key is the one that older releases read. */
  tagged: 'karpenter.k8s.aws/tagged',
  clusterNameTagged: 'compatibility.karpenter.k8s.aws/cluster-name-tagged',
  /** On a NodeClaim: the batch whose fleet requests launch it, recorded before the first of them. */
  launchBatch: 'karpenter.k8s.aws/launch-batch',
  /** On a replacement NodeClaim: name of the one that it replaces after a rebalance recommendation. */
  rebalanceOf: 'karpenter.k8s.aws/rebalance-of',
} as const;

/**
 * Finalizer of EC2NodeClasses, removed when no NodeClaim uses the class and its AWS resources are deleted.
 */
export const ec2NodeClassFinalizer = 'karpenter.k8s.aws/termination';
