import { CodedError } from '@karpenter/core/errors';
import type { AwsServices } from '../../ports/index.ts';
import type { TemplateContent } from './launch-template.ts';

type Groups = Awaited<ReturnType<AwsServices['autoScaling']['describeAutoScalingGroups']>>;
export type DescribedGroup = NonNullable<Groups['AutoScalingGroups']>[number];
type DescribedNodegroup = Awaited<ReturnType<AwsServices['eks']['describeNodegroup']>>;
export type ManagedGroup = NonNullable<DescribedNodegroup['nodegroup']>;

type Services = Pick<AwsServices, 'autoScaling' | 'eks' | 'ec2'>;

/** All groups of the region, or those with these names. */
export async function describeGroups(
  { autoScaling }: Pick<AwsServices, 'autoScaling'>,
  names?: readonly string[],
): Promise<readonly DescribedGroup[]> {
  const found: DescribedGroup[] = [];
  let NextToken: string | undefined;
  do {
    const page = await autoScaling.describeAutoScalingGroups({
      ...(names !== undefined && { AutoScalingGroupNames: [...names] }),
      ...(NextToken !== undefined && { NextToken }),
    });
    found.push(...(page.AutoScalingGroups ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined && NextToken !== '');
  return found;
}

export async function describeNodegroups(
  { eks }: Services,
  clusterName: string,
): Promise<readonly ManagedGroup[]> {
  const names: string[] = [];
  let nextToken: string | undefined;
  do {
    const page = await eks.listNodegroups({ clusterName, ...(nextToken !== undefined && { nextToken }) });
    names.push(...(page.nodegroups ?? []));
    nextToken = page.nextToken;
  } while (nextToken !== undefined && nextToken !== '');
  const responses = await Promise.all(
    names.map((nodegroupName) => eks.describeNodegroup({ clusterName, nodegroupName })),
  );
  return responses.flatMap(({ nodegroup }) => nodegroup ?? []);
}

/** The cluster security group, which EKS attaches to nodes of managed node groups. */
export async function clusterSecurityGroup({ eks }: Services, name: string): Promise<string | undefined> {
  const { cluster } = await eks.describeCluster({ name });
  return cluster?.resourcesVpcConfig?.clusterSecurityGroupId;
}

/** The content of the launch template of a group; undefined for a group with a launch configuration. */
export async function templateContent(
  { ec2 }: Services,
  group: DescribedGroup,
): Promise<TemplateContent | undefined> {
  const mixed = group.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification;
  const reference = group.LaunchTemplate ?? mixed;
  if (reference === undefined) return undefined;
  const { LaunchTemplateId, LaunchTemplateName, Version = '$Default' } = reference;
  const { LaunchTemplateVersions = [] } = await ec2.describeLaunchTemplateVersions({
    ...(LaunchTemplateId === undefined ? { LaunchTemplateName } : { LaunchTemplateId }),
    Versions: [Version],
  });
  const data = LaunchTemplateVersions[0]?.LaunchTemplateData;
  if (data !== undefined) return data;
  throw new CodedError(
    'aws-call-failed',
    `EC2 described no version ${Version} of the launch template of Auto Scaling group ${group.AutoScalingGroupName}; check the group in the console`,
  );
}
