import { amiFamilyOf, type EC2NodeClass, type EC2NodeClassStatus } from '@karpenter/aws';
import { labelKeys } from '@karpenter/core/api';
import { invalidValue } from '@karpenter/core/errors';
import { type Zone, zones } from '@karpenter/ec2-catalogue';
import type { ClusterPlace } from '../region/index.ts';

/** Values that only AWS knows, as far as the command line gives them. */
export interface GivenFacts {
  readonly place: ClusterPlace;
  readonly clusterName: string;
  /** `amd64=ami-1`, or `ami-1` for every architecture. */
  readonly ami?: readonly string[] | undefined;
  /** `us-east-1a=subnet-1`. */
  readonly subnet?: readonly string[] | undefined;
  readonly securityGroup?: readonly string[] | undefined;
  readonly instanceProfile?: string | undefined;
}

export interface CompletedClass {
  readonly nodeClass: EC2NodeClass;
  /** Each made-up value with the flag that sets it, for the note to the user. */
  readonly placeholders: readonly string[];
}

const architectures = ['amd64', 'arm64'] as const;

/**
 * The NodeClass with a complete status. Values of the command line win over those of its status; missing ones become
 * placeholders that are recognizable as such.
 */
export function completeClass(nodeClass: EC2NodeClass, given: GivenFacts): CompletedClass {
  const { status = {}, spec } = nodeClass;
  const parts = [
    amisOf(nodeClass, given.ami),
    subnetsOf(status, given),
    securityGroupsOf(status, given.securityGroup),
    profileOf(spec.instanceProfile ?? given.instanceProfile ?? status.instanceProfile, given),
  ];
  const placeholders = parts.flatMap(({ placeholder }) => placeholder ?? []);
  const found: EC2NodeClassStatus = Object.assign({}, status, ...parts.map(({ fields }) => fields));
  return { nodeClass: { ...nodeClass, status: found }, placeholders };
}

interface Part {
  readonly fields: EC2NodeClassStatus;
  readonly placeholder?: string;
}

function amisOf(nodeClass: EC2NodeClass, given: readonly string[] | undefined): Part {
  if (given !== undefined) return { fields: { amis: given.flatMap((text) => givenAmi(text, nodeClass)) } };
  const { amis = [] } = nodeClass.status ?? {};
  if (amis.length > 0) return { fields: { amis } };
  return {
    fields: { amis: familyArchitectures(nodeClass).map((arch) => amiFor(`ami-placeholder-${arch}`, arch)) },
    placeholder: 'images (--ami)',
  };
}

function givenAmi(text: string, nodeClass: EC2NodeClass): readonly ReturnType<typeof amiFor>[] {
  const [arch, id] = text.includes('=') ? text.split('=') : [undefined, text];
  if (id === undefined || !/^ami-[0-9a-z-]+$/.test(id) || (arch !== undefined && !isArchitecture(arch))) {
    throw invalidValue({
      code: 'invalid-setting',
      field: '--ami',
      value: text,
      expected: 'an image',
      advice: 'write its id, such as ami-0abc, or amd64=ami-0abc arm64=ami-0def',
    });
  }
  return (arch === undefined ? familyArchitectures(nodeClass) : [arch]).map((one) => amiFor(id, one));
}

function isArchitecture(text: string): boolean {
  return architectures.some((architecture) => architecture === text);
}

/** Windows AMIs exist for amd64 only. */
function familyArchitectures({ spec }: EC2NodeClass): readonly string[] {
  return amiFamilyOf(spec).operatingSystem === 'windows' ? ['amd64'] : architectures;
}

function amiFor(id: string, architecture: string) {
  const requirements = [{ key: labelKeys.architecture, operator: 'In', values: [architecture] }];
  return { id, requirements };
}

function subnetsOf(status: EC2NodeClassStatus, { subnet, place }: GivenFacts): Part {
  if (subnet !== undefined)
    return { fields: { subnets: subnet.map((text) => givenSubnet(text, place.region)) } };
  const { subnets = [] } = status;
  if (subnets.length > 0) return { fields: { subnets } };
  return {
    fields: { subnets: place.zones.map((zone) => subnetIn(zone, `subnet-placeholder-${zone.name}`)) },
    placeholder: 'subnets (--subnet)',
  };
}

function givenSubnet(text: string, region: string) {
  const [name = '', id = ''] = text.split('=');
  const known = zones(region).find((zone) => zone.name === name) ?? { name, id: '' };
  if (name !== '' && /^subnet-[0-9a-z-]+$/.test(id)) return subnetIn(known, id);
  throw invalidValue({
    code: 'invalid-setting',
    field: '--subnet',
    value: text,
    expected: 'a subnet of a zone',
    advice: 'write the zone and the id, such as us-east-1a=subnet-0abc',
  });
}

function subnetIn(zone: Zone, id: string) {
  return { id, zone: zone.name, ...(zone.id !== '' && { zoneID: zone.id }) };
}

function securityGroupsOf(status: EC2NodeClassStatus, given: readonly string[] | undefined): Part {
  if (given !== undefined) return { fields: { securityGroups: given.map((id) => ({ id })) } };
  const { securityGroups = [] } = status;
  if (securityGroups.length > 0) return { fields: { securityGroups } };
  return {
    fields: { securityGroups: [{ id: 'sg-placeholder' }] },
    placeholder: 'security groups (--security-group)',
  };
}

function profileOf(name: string | undefined, { clusterName }: GivenFacts): Part {
  if (name !== undefined) return { fields: { instanceProfile: name } };
  return {
    fields: { instanceProfile: `${clusterName}_placeholder` },
    placeholder: 'the instance profile (--instance-profile)',
  };
}
