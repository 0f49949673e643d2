import { type CodedError, invalidValue } from '@karpenter/core/errors';
import { regions, zones as zonesOfRegion } from '@karpenter/ec2-catalogue';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { chanceFrom, hashText } from '../../objects/chance.ts';
import { publishedImages } from './default-images.ts';
import { iamId } from './identifiers.ts';
import { Queue } from './queue.ts';
import { Subnet } from './subnet.ts';
import type { CloudWorld, EksCluster, SecurityGroup, WorldZone } from './world.ts';

export interface CloudWorldOptions {
  readonly clusterName: string;
  readonly region: string;
  readonly clock: Clock;
  readonly seed: number;
  readonly accountId?: string;
  /** The number of zones with subnets; defaults to 3. */
  readonly zones?: number;
  /** The prefix length of private subnets; defaults to 19, which gives 8187 addresses. */
  readonly subnetPrefix?: number;
  readonly cluster?: Partial<Pick<EksCluster, 'endpoint' | 'certificateAuthority' | 'version'>>;
}

const defaultVersion = '1.36';
const monthMs = 30 * 86_400_000;

/**
 * An account with a cluster set up by the getting-started guide of Karpenter: every resource is named or
 * tagged after the cluster. Throws a CodedError for a region that the catalogue does not have.
 */
export function defaultWorld(options: CloudWorldOptions): CloudWorld {
  const { clusterName, region, clock, seed, accountId = '123456789012', zones: count = 3 } = options;
  const now = clock.now();
  const zones = zonesOfRegion(region).slice(0, count);
  if (zones.length === 0) throw unknownRegion(region);
  const cluster = clusterOf(options, accountId, now - monthMs);
  const roleName = `KarpenterNodeRole-${clusterName}`;
  const queueUrl = `https://sqs.${region}.amazonaws.com/${accountId}/${clusterName}`;
  const chance = chanceFrom(hashText(`queue ${seed}`));
  const world: CloudWorld = {
    accountId,
    region,
    callerArn: `arn:aws:sts::${accountId}:assumed-role/${clusterName}-karpenter/karpenter`,
    zones,
    cluster,
    subnets: byId(subnetsOf(options, zones)),
    securityGroups: byId(securityGroupsOf(options)),
    images: new Map(),
    parameters: new Map(),
    roles: new Map([
      [roleName, { name: roleName, path: '/', id: iamId('AROA', chance), createdAt: now - monthMs }],
    ]),
    instanceProfiles: new Map(),
    launchTemplates: new Map(),
    placementGroups: new Map(),
    capacityReservations: new Map(),
    instances: new Map(),
    queues: new Map([[clusterName, new Queue({ name: clusterName, url: queueUrl, clock, chance })]]),
    shifts: new Map(),
    autoScalingGroups: new Map(),
    nodegroups: new Map(),
  };
  publishImages(world, now);
  return world;
}

function unknownRegion(region: string): CodedError {
  return invalidValue({
    code: 'invalid-setting',
    field: 'region',
    value: region,
    expected: 'a region that the simulated cloud knows',
    advice: `use one of ${regions().join(', ')}`,
  });
}

/** Adds what AWS has published by `now` for the version of the cluster; older images stay. */
export function publishImages({ images, parameters, cluster }: CloudWorld, now: Instant): void {
  const published = publishedImages(cluster.version, now);
  for (const image of published.images) images.set(image.id, image);
  for (const parameter of published.parameters) parameters.set(parameter.name, parameter);
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function clusterOf(
  { clusterName, region, cluster }: CloudWorldOptions,
  accountId: string,
  createdAt: number,
): EksCluster {
  const id = idOf('eks', clusterName).slice('eks-'.length).toUpperCase();
  return {
    name: clusterName,
    arn: `arn:aws:eks:${region}:${accountId}:cluster/${clusterName}`,
    endpoint: `https://${id}.gr7.${region}.eks.amazonaws.com`,
    certificateAuthority: Buffer.from(`certificate authority of ${clusterName}\n`).toString('base64'),
    version: defaultVersion,
    serviceIpv4Cidr: '172.20.0.0/16',
    createdAt,
    accessEntries: [`arn:aws:iam::${accountId}:role/KarpenterNodeRole-${clusterName}`],
    ...cluster,
  };
}

/** An id that depends only on the name, the same in every run. */
function idOf(prefix: string, name: string): string {
  const digits = [0, 1].map((part) => hashText(`${part}${prefix}${name}`).toString(16).padStart(8, '0'));
  return `${prefix}-0${digits.join('')}`;
}

function subnetsOf(options: CloudWorldOptions, zones: readonly WorldZone[]): readonly Subnet[] {
  const { clusterName, subnetPrefix = 19 } = options;
  return zones.flatMap((zone, index) =>
    [false, true].map((isPublic) => {
      const name = `${clusterName}-${isPublic ? 'public' : 'private'}-${zone.name}`;
      const third = isPublic ? 128 + index * 16 : index * 32;
      return new Subnet({
        id: idOf('subnet', name),
        zone: zone.name,
        zoneId: zone.id,
        vpcId: idOf('vpc', clusterName),
        cidr: `10.0.${third}.0/${isPublic ? 24 : subnetPrefix}`,
        isPublic,
        tags: new Map([
          ['Name', name],
          [`kubernetes.io/role/${isPublic ? 'elb' : 'internal-elb'}`, '1'],
          discoveryTag(clusterName),
        ]),
      });
    }),
  );
}

function discoveryTag(clusterName: string): [string, string] {
  return ['karpenter.sh/discovery', clusterName];
}

function securityGroupsOf({ clusterName }: CloudWorldOptions): readonly SecurityGroup[] {
  const group = (name: string, tags: readonly [string, string][]): SecurityGroup => ({
    id: idOf('sg', name),
    name,
    vpcId: idOf('vpc', clusterName),
    tags: new Map([['Name', name], ...tags]),
  });
  const owned: [string, string] = [`kubernetes.io/cluster/${clusterName}`, 'owned'];
  return [
    group(`eks-cluster-sg-${clusterName}`, [discoveryTag(clusterName), owned]),
    group(`${clusterName}-node`, [discoveryTag(clusterName)]),
    group('default', []),
  ];
}
