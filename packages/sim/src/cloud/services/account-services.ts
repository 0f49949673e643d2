import type { Eks, Ssm, Sts, ZonalShiftService } from '@karpenter/aws/ports';
import type { Clock } from '@karpenter/kube/runtime';
import type { GroupCalls } from '../auto-scaling/index.ts';
import type { Gateway } from '../calls/gateway.ts';
import { Refusal } from '../calls/refusal.ts';
import { publishPinned } from '../world/pinned-images.ts';
import type { CloudWorld } from '../world/world.ts';
import { nodegroupCalls } from './nodegroups.ts';

/** SSM: the parameters that name the images. Those of a pinned release appear when they are first read. */
export function ssmService(gateway: Gateway, world: CloudWorld, clock: Pick<Clock, 'now'>): Ssm {
  return {
    getParameter: gateway.operation(
      { service: 'SSM', operation: 'GetParameter', family: 'ssm', action: 'ssm:GetParameter' },
      ({ Name = '' }, { changed }) => {
        const name = nameOf(Name, world);
        const known = world.parameters.get(name);
        const parameter = known ?? publishPinned(world, name, clock.now());
        // Saved, because instances that run the image outlive this process.
        if (parameter !== known) changed();
        if (parameter === undefined) throw new Refusal('ParameterNotFound', `Parameter ${Name} not found.`);
        return {
          Parameter: {
            Name: parameter.name,
            Type: 'String',
            Value: parameter.value,
            Version: parameter.version,
            LastModifiedDate: new Date(parameter.modifiedAt),
            ARN: parameterArn(world, parameter.name),
            DataType: 'text',
          },
        };
      },
      ({ Name = '' }) => [
        {
          action: 'ssm:GetParameter',
          resource: parameterArn(world, nameOf(Name, world)),
          context: {},
        },
      ],
    ),
  };
}

/** Parameters that AWS publishes belong to no account. */
function parameterArn({ region, accountId }: CloudWorld, name: string): string {
  return `arn:aws:ssm:${region}:${name.startsWith('/aws/') ? '' : accountId}:parameter${name}`;
}

/** SSM accepts the name of a parameter or its ARN. */
function nameOf(name: string, { region }: CloudWorld): string {
  const [, path] = new RegExp(`^arn:aws[\\w-]*:ssm:${region}:\\d*:parameter(/.+)$`).exec(name) ?? [];
  return path ?? name;
}

/** EKS: the one cluster of the account. */
export function eksService(gateway: Gateway, world: CloudWorld, groups: GroupCalls): Eks {
  return {
    ...nodegroupCalls(gateway, world, groups),
    describeAccessEntry: gateway.operation(
      { service: 'EKS', operation: 'DescribeAccessEntry', family: 'eks', action: 'eks:DescribeAccessEntry' },
      ({ clusterName, principalArn }) => {
        const { cluster } = world;
        if (cluster.name === clusterName && cluster.accessEntries?.includes(principalArn ?? '') === true) {
          const type = cluster.accessEntryTypes?.[principalArn ?? ''] ?? 'EC2_LINUX';
          return { accessEntry: { clusterName, principalArn, type } };
        }
        throw new Refusal(
          'ResourceNotFoundException',
          `The specified principalArn could not be found: ${principalArn}.`,
          { statusCode: 404 },
        );
      },
    ),
    describeCluster: gateway.operation(
      { service: 'EKS', operation: 'DescribeCluster', family: 'eks', action: 'eks:DescribeCluster' },
      ({ name }) => {
        const { cluster } = world;
        if (cluster.name !== name) {
          throw new Refusal('ResourceNotFoundException', `No cluster found for name: ${name}.`, {
            statusCode: 404,
          });
        }
        return {
          cluster: {
            name: cluster.name,
            arn: cluster.arn,
            createdAt: new Date(cluster.createdAt),
            version: cluster.version,
            endpoint: cluster.endpoint,
            status: 'ACTIVE',
            certificateAuthority: { data: cluster.certificateAuthority },
            kubernetesNetworkConfig: {
              serviceIpv4Cidr: cluster.serviceIpv4Cidr,
              ...(cluster.serviceIpv6Cidr !== undefined && { serviceIpv6Cidr: cluster.serviceIpv6Cidr }),
              ipFamily: cluster.serviceIpv4Cidr === undefined ? 'ipv6' : 'ipv4',
            },
            resourcesVpcConfig: {
              subnetIds: [...world.subnets.keys()],
              vpcId: [...world.subnets.values()][0]?.vpcId,
            },
            tags: {},
          },
        };
      },
      ({ name = '' }) => [
        {
          action: 'eks:DescribeCluster',
          resource: `arn:aws:eks:${world.region}:${world.accountId}:cluster/${name}`,
          context: {},
        },
      ],
    ),
  };
}

export function stsService(gateway: Gateway, world: CloudWorld): Sts {
  return {
    getCallerIdentity: gateway.operation(
      { service: 'STS', operation: 'GetCallerIdentity', family: 'sts', action: 'sts:GetCallerIdentity' },
      () => ({
        Account: world.accountId,
        Arn: gateway.callerArn,
        UserId: gateway.callerArn.includes(':user/') ? 'AIDASIMULATED' : 'AROASIMULATED:karpenter',
      }),
    ),
  };
}

/** ARC zonal shift: the shifts in force for the cluster. Shifts expire by themselves. */
export function zonalShiftService(gateway: Gateway, world: CloudWorld, clock: Clock): ZonalShiftService {
  return {
    getManagedResource: gateway.operation(
      {
        service: 'ARC Zonal Shift',
        operation: 'GetManagedResource',
        family: 'zonal-shift',
        action: 'arc-zonal-shift:GetManagedResource',
      },
      ({ resourceIdentifier }: { readonly resourceIdentifier: string }) => {
        if (resourceIdentifier !== world.cluster.arn) {
          throw new Refusal('ResourceNotFoundException', `Managed resource ${resourceIdentifier} not found`, {
            statusCode: 404,
          });
        }
        const running = [...world.shifts.values()].filter(({ expiresAt }) => expiresAt > clock.now());
        return {
          zonalShifts: running.map(({ zoneId, expiresAt }) => ({
            awayFrom: zoneId,
            appliedStatus: 'APPLIED' as const,
            expiryTime: new Date(expiresAt),
          })),
        };
      },
      ({ resourceIdentifier }) => [
        {
          action: 'arc-zonal-shift:GetManagedResource',
          resource: '*',
          context: { 'arc-zonal-shift:ResourceIdentifier': [resourceIdentifier] },
        },
      ],
    ),
  };
}
