export const awsAnnotationKeys = {
  ec2NodeClassHash: 'karpenter.k8s.aws/ec2nodeclass-hash',
  ec2NodeClassHashVersion: 'karpenter.k8s.aws/ec2nodeclass-hash-version',
  instanceProfileName: 'karpenter.k8s.aws/instance-profile-name',
  /** The instance has its tags; the second key tells older releases so. */
  tagged: 'karpenter.k8s.aws/tagged',
  clusterNameTagged: 'compatibility.karpenter.k8s.aws/cluster-name-tagged',
  /** On a NodeClaim: the name of the one that it replaces because EC2 recommended to leave its instance. */
  rebalanceOf: 'karpenter.k8s.aws/rebalance-of',
} as const;

/** On EC2NodeClasses, until no NodeClaim uses them and what was made for them in AWS is gone. */
export const ec2NodeClassFinalizer = 'karpenter.k8s.aws/termination';
