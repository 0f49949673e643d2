import type { RunInstancesCommandInput, TagSpecification } from '@aws-sdk/client-ec2';
import { aliasParameters } from '../../images/index.ts';
import { ec2Tags } from '../../tags/index.ts';
import type { PreflightContext } from '../preflight-check.ts';
import { discoveryFilter } from './network-checks.ts';

const instanceType = 'm5.large';

/** A dry run of a launch like the controller's. Undefined without a subnet or AMI, which other checks report. */
export async function launchTrial(context: PreflightContext): Promise<RunInstancesCommandInput | undefined> {
  const [subnet, image] = await Promise.all([found(taggedSubnet(context)), found(recommendedImage(context))]);
  if (subnet === undefined || image === undefined) return undefined;
  return {
    DryRun: true,
    MinCount: 1,
    MaxCount: 1,
    ImageId: image,
    InstanceType: instanceType,
    NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: subnet }],
    TagSpecifications: trialTags(context, ['instance', 'volume', 'network-interface']),
  };
}

/** The tags that the policies require on resources that the controller creates. */
export function trialTags(
  { clusterName }: PreflightContext,
  types: readonly TagSpecification['ResourceType'][],
): TagSpecification[] {
  const tags = ec2Tags({
    [`kubernetes.io/cluster/${clusterName}`]: 'owned',
    'eks:eks-cluster-name': clusterName,
    'karpenter.sh/nodepool': 'preflight',
  });
  return types.map((type) => ({ ResourceType: type, Tags: tags }));
}

async function taggedSubnet({ services, clusterName }: PreflightContext): Promise<string | undefined> {
  const { Subnets = [] } = await services.ec2.describeSubnets(discoveryFilter(clusterName));
  return Subnets[0]?.SubnetId;
}

/** The Amazon Linux 2023 AMI for the version of the cluster. */
async function recommendedImage({ services, clusterName }: PreflightContext): Promise<string | undefined> {
  const { cluster } = await services.eks.describeCluster({ name: clusterName });
  const [parameter] = aliasParameters({ family: 'al2023', version: 'latest' }, cluster?.version ?? '');
  const { Parameter } = await services.ssm.getParameter({ Name: parameter?.name });
  return Parameter?.Value;
}

async function found(read: Promise<string | undefined>): Promise<string | undefined> {
  return read.catch(() => undefined);
}
