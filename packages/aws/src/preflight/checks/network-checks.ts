import { errorText } from '../../aws-errors/index.ts';
import { outcomes, type PreflightCheck } from '../preflight-check.ts';

const subnets = outcomes('subnets');
const addresses = outcomes('subnet-addresses');
const groups = outcomes('security-groups');

/** Below this, one large node may exhaust the subnet. */
const fewAddresses = 32;

export function discoveryFilter(clusterName: string) {
  return { Filters: [{ Name: 'tag:karpenter.sh/discovery', Values: [clusterName] }] };
}

/** Checks that subnets in at least two zones have the discovery tag and free addresses. */
export const checkSubnets: PreflightCheck = async ({ services, clusterName, region }) => {
  const tag = `karpenter.sh/discovery=${clusterName}`;
  try {
    const { Subnets = [] } = await services.ec2.describeSubnets(discoveryFilter(clusterName));
    if (Subnets.length === 0)
      return [
        subnets.failed(
          `no subnet in ${region} has the tag ${tag}`,
          `aws ec2 create-tags --region ${region} --tags Key=karpenter.sh/discovery,Value=${clusterName} --resources SUBNET_ID...`,
        ),
      ];
    const zones = [...new Set(Subnets.map(({ AvailabilityZone = '' }) => AvailabilityZone))];
    const few = Subnets.filter(({ AvailableIpAddressCount = 0 }) => AvailableIpAddressCount < fewAddresses);
    return [
      zones.length > 1
        ? subnets.passed(`${Subnets.length} subnets in ${zones.length} zones have the tag ${tag}`)
        : subnets.warning(
            `all subnets with the tag ${tag} are in ${zones[0]}, so an outage there stops every node`,
            `aws ec2 create-tags --region ${region} --tags Key=karpenter.sh/discovery,Value=${clusterName} --resources SUBNET_IN_ANOTHER_ZONE`,
          ),
      few.length === 0
        ? addresses.passed('the subnets have addresses left')
        : addresses.warning(
            `${few.map(({ SubnetId, AvailableIpAddressCount }) => `${SubnetId} has ${AvailableIpAddressCount} addresses left`).join(', ')}`,
            'add a larger subnet, tag it, and remove the tag from the full one',
          ),
    ];
  } catch (error) {
    return [subnets.unknown(`subnets cannot be read: ${errorText(error)}`)];
  }
};

/** Checks that at least one security group has the discovery tag. */
export const checkSecurityGroups: PreflightCheck = async ({ services, clusterName, region }) => {
  try {
    const { SecurityGroups = [] } = await services.ec2.describeSecurityGroups(discoveryFilter(clusterName));
    if (SecurityGroups.length > 0)
      return [groups.passed(`${SecurityGroups.length} security groups have the discovery tag`)];
    return [
      groups.failed(
        `no security group in ${region} has the tag karpenter.sh/discovery=${clusterName}`,
        `aws ec2 create-tags --region ${region} --tags Key=karpenter.sh/discovery,Value=${clusterName} --resources $(aws eks describe-cluster --name ${clusterName} --region ${region} --query cluster.resourcesVpcConfig.clusterSecurityGroupId --output text)`,
      ),
    ];
  } catch (error) {
    return [groups.unknown(`security groups cannot be read: ${errorText(error)}`)];
  }
};
