/**
 * The account and cluster that the policies are for. Each field may be a value, or an expression of a template
 * language, such as `${AWS::Region}`.
 */
export interface PolicyScope {
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  readonly partition: string;
  readonly region: string;
  readonly accountId: string;
  readonly clusterName: string;
  /** The role that instances run with. */
  readonly nodeRoleArn: string;
  readonly queueArn: string;
}

/** Name of the node role in the templates under `deploy`. */
export function nodeRoleName(clusterName: string): string {
  return `KarpenterNodeRole-${clusterName}`;
}

export function controllerRoleName(clusterName: string): string {
  return `${clusterName}-karpenter`;
}

/** Fills in the ARNs of the node role and the queue by their usual names. */
export function policyScope(scope: Omit<PolicyScope, 'nodeRoleArn' | 'queueArn'>): PolicyScope {
  const { partition, region, accountId, clusterName } = scope;
  return {
    ...scope,
    nodeRoleArn: `arn:${partition}:iam::${accountId}:role/${nodeRoleName(clusterName)}`,
    queueArn: `arn:${partition}:sqs:${region}:${accountId}:${clusterName}`,
  };
}

/** EC2 resources of any owner: images and reservations may be shared from other accounts. */
export function ec2Arns({ partition, region }: PolicyScope, ...types: readonly string[]): readonly string[] {
  return types.map((type) => {
    // These two have ARNs without an account.
    const account = type === 'image' || type === 'snapshot' ? '' : '*';
    return `arn:${partition}:ec2:${region}:${account}:${type}/*`;
  });
}

export function instanceProfileArn({ partition, accountId }: PolicyScope): string {
  return `arn:${partition}:iam::${accountId}:instance-profile/*`;
}

export function clusterArn({ partition, region, accountId, clusterName }: PolicyScope): string {
  return `arn:${partition}:eks:${region}:${accountId}:cluster/${clusterName}`;
}
