import { AutoScalingClient, CreateAutoScalingGroupCommand } from '@aws-sdk/client-auto-scaling';
import {
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { CreateClusterCommand, EKSClient } from '@aws-sdk/client-eks';
import { CreateRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { NewGroup } from '@karpenter/testkit/aws-conformance';

export const clusterName = 'prod';
export const region = 'us-west-2';
export const version = '1.36';

/** moto accepts any credentials. */
export const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const tags = [{ Key: 'karpenter.sh/discovery', Value: clusterName }];

/** Creates what an AWS account has before Karpenter is installed. */
export async function furnishAccount(endpoint: string): Promise<void> {
  const config = { endpoint, region, credentials };
  const { subnetIds, groupId } = await makeNetwork(new EC2Client(config));
  await new IAMClient(config).send(
    new CreateRoleCommand({ RoleName: `KarpenterNodeRole-${clusterName}`, AssumeRolePolicyDocument: '{}' }),
  );
  await new SQSClient(config).send(new CreateQueueCommand({ QueueName: clusterName }));
  await new EKSClient(config).send(
    new CreateClusterCommand({
      name: clusterName,
      version,
      roleArn: 'arn:aws:iam::123456789012:role/cluster',
      resourcesVpcConfig: { subnetIds, securityGroupIds: [groupId] },
    }),
  );
}

export async function createMotoGroup(endpoint: string, group: NewGroup): Promise<void> {
  const { name, template, subnetIds, sizes, tags: groupTags } = group;
  await new AutoScalingClient({ endpoint, region, credentials }).send(
    new CreateAutoScalingGroupCommand({
      AutoScalingGroupName: name,
      LaunchTemplate: { LaunchTemplateName: template, Version: '$Default' },
      VPCZoneIdentifier: subnetIds.join(','),
      MinSize: sizes.min,
      MaxSize: sizes.max,
      DesiredCapacity: sizes.desired,
      Tags: Object.entries(groupTags).map(([Key, Value]) => ({
        Key,
        Value,
        ResourceId: name,
        ResourceType: 'auto-scaling-group',
        PropagateAtLaunch: true,
      })),
    }),
  );
}

async function makeNetwork(ec2: EC2Client) {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }));
  const VpcId = Vpc?.VpcId;
  const subnetIds: string[] = [];
  for (const [index, zone] of ['a', 'b', 'c'].entries()) {
    const { Subnet } = await ec2.send(
      new CreateSubnetCommand({
        VpcId,
        AvailabilityZone: `${region}${zone}`,
        CidrBlock: `10.0.${index}.0/24`,
        TagSpecifications: [{ ResourceType: 'subnet', Tags: tags }],
      }),
    );
    subnetIds.push(Subnet?.SubnetId ?? '');
  }
  const { GroupId: groupId = '' } = await ec2.send(
    new CreateSecurityGroupCommand({
      VpcId,
      GroupName: `${clusterName}-node`,
      Description: 'nodes',
      TagSpecifications: [{ ResourceType: 'security-group', Tags: tags }],
    }),
  );
  return { subnetIds, groupId };
}
