import { problemText, TypeCatalogue } from '@karpenter/core/admission';
import { instanceTypes } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { awsLabelKeys, awsLabelPolicy } from '../names/index.ts';
import type { EC2NodeClassSpec } from '../node-class/index.ts';
import { admitNodeClass, knownInstanceTypes } from './index.ts';

const good = {
  role: 'nodes',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: [{ tags: { a: 'b' } }, { id: 'subnet-1' }],
  securityGroupSelectorTerms: [{ name: 'nodes' }],
};
const errorsOf = (parts: Partial<EC2NodeClassSpec>) =>
  admitNodeClass({ spec: { ...good, ...parts } as EC2NodeClassSpec }).errors.map(problemText);

describe('an EC2NodeClass is accepted', () => {
  it.each<[string, Partial<EC2NodeClassSpec>]>([
    ['as people write it', {}],
    ['with an empty map beside an id', { subnetSelectorTerms: [{ tags: {}, id: 'subnet-1' }] }],
    [
      'with an empty map beside a name',
      { amiSelectorTerms: [{ tags: {}, name: 'mine' }], amiFamily: 'AL2023' },
    ],
    ['with tags of its own', { tags: { team: 'a' } }],
    ['with a pinned version', { amiSelectorTerms: [{ alias: 'bottlerocket@v1.20.3' }] }],
  ])('%s', (_, parts) => {
    expect(errorsOf(parts)).toEqual([]);
  });

  it('without a spec, as the CRD does', () => {
    expect(admitNodeClass({})).toEqual({ errors: [], warnings: [] });
  });
});

describe('an EC2NodeClass is refused', () => {
  it.each<[string, Partial<EC2NodeClassSpec>, string]>([
    [
      'an empty map of tags of subnets',
      { subnetSelectorTerms: [{ tags: { a: 'b' } }, { tags: {} }] },
      'spec.subnetSelectorTerms[1].tags: Invalid value: {}: an empty map selects no subnet; name at least one tag',
    ],
    [
      'an empty map of tags of security groups',
      { securityGroupSelectorTerms: [{ tags: {} }] },
      'spec.securityGroupSelectorTerms[0].tags: Invalid value: {}: an empty map selects no security group; name at least one tag',
    ],
    [
      'an empty map of tags beside an owner alone',
      { amiSelectorTerms: [{ tags: {}, owner: 'self' }], amiFamily: 'AL2023' },
      'spec.amiSelectorTerms[0].tags: Invalid value: {}: an empty map selects no image; name at least one tag',
    ],
    [
      'an empty map of tags of capacity reservations',
      { capacityReservationSelectorTerms: [{ tags: {}, ownerID: '111122223333' }] },
      'spec.capacityReservationSelectorTerms[0].tags: Invalid value: {}: an empty map selects no capacity reservation; name at least one tag',
    ],
    [
      'a second @ in an alias',
      { amiSelectorTerms: [{ alias: 'al2023@v2025@latest' }] },
      `spec.amiSelectorTerms[0].alias: Invalid value: "al2023@v2025@latest": 'alias' is improperly formatted, must match the format 'family@version' with a single '@'`,
    ],
    [
      'a tag that is reserved',
      { tags: { 'karpenter.sh/nodepool': 'x' } },
      'spec.tags: Invalid value: ["karpenter.sh/nodepool"]: tags failed validation requirements (tags="karpenter.sh/nodepool")',
    ],
  ])('for %s', (_, parts, message) => {
    expect(errorsOf(parts)).toEqual([message]);
  });
});

describe('the instance types of a region', () => {
  const catalogue = new TypeCatalogue(
    knownInstanceTypes(instanceTypes(), 'eu-west-1'),
    awsLabelPolicy.aliases,
  );
  const count = (key: string, operator: string, ...values: readonly string[]) =>
    catalogue.meeting({ key, operator, values }).filter((isMet) => isMet).length;

  it('are found by labels that depend on the type alone', () => {
    expect(count('node.kubernetes.io/instance-type', 'In', 'm5.large', 'm5.larg')).toBe(1);
    expect(count(awsLabelKeys.gpuCount, 'Exists')).toBeGreaterThan(10);
    expect(count('topology.kubernetes.io/region', 'In', 'us-east-1')).toBe(0);
  });

  it.each([
    'topology.kubernetes.io/zone',
    awsLabelKeys.zoneId,
    'karpenter.sh/capacity-type',
    'kubernetes.io/os',
    awsLabelKeys.tenancy,
    awsLabelKeys.capacityReservationId,
    awsLabelKeys.placementGroupId,
  ])('say nothing of %s, which may change', (key) => {
    expect(catalogue.concerns({ key, operator: 'Exists' })).toBe(false);
  });
});
