import { ageColumn, readyColumn } from '@karpenter/core/api';
import {
  boolean,
  defaulted,
  enumeration,
  integer,
  map,
  object,
  type ResourceOf,
  required,
  resourceKind,
  string,
  stringItem,
  type ValidationRule,
} from '@karpenter/core/schema';
import { restrictedTagKeys } from '../names/index.ts';
import { blockDeviceMappings } from './block-device-schema.ts';
import {
  connectionTracking,
  cpuOptions,
  metadataOptions,
  networkInterfaces,
} from './instance-options-schema.ts';
import { kubelet } from './kubelet-schema.ts';
import {
  aliasFamilies,
  amiSelectorTerms,
  capacityReservationSelectorTerms,
  placementGroupSelector,
  securityGroupSelectorTerms,
  subnetSelectorTerms,
} from './selector-terms.ts';
import { status } from './status-schema.ts';

/** Rules and messages below are those of Karpenter's CRD, so that both accept the same objects. */
const restrictedTag = (key: string): ValidationRule => ({
  rule: `self.all(key, key != '${key}')`,
  message: `tag contains a restricted tag matching ${key}`,
});

const tags = map(
  'Tags for everything that is made for a node: instances, volumes, interfaces.',
  stringItem(),
  {
    rules: [
      { rule: `self.all(key, key != '')`, message: `empty tag keys aren't supported` },
      {
        rule: `self.all(key, !key.startsWith('kubernetes.io/cluster'))`,
        message: 'tag contains a restricted tag matching kubernetes.io/cluster/',
      },
      ...restrictedTagKeys.map(restrictedTag),
    ],
  },
);

const notEmpty = (field: string): ValidationRule => ({
  rule: `self != ''`,
  message: `${field} cannot be empty`,
});

/** amiFamily may only repeat the family of an alias, or be `Custom`. */
function familyFollowsAlias(alias: string, family: string): ValidationRule {
  const article = family.startsWith('AL') ? 'an' : 'a';
  return {
    rule: `!has(self.amiFamily) || self.amiFamily in ['${family}', 'Custom'] || !self.amiSelectorTerms.exists(term, has(term.alias) && term.alias.find('^[^@]+') == '${alias}')`,
    message: `if set, amiFamily must be '${family}' or 'Custom' when using ${article} ${family} alias`,
  };
}

const specRules: readonly ValidationRule[] = [
  {
    rule: 'has(self.role) != has(self.instanceProfile)',
    message: `must specify exactly one of ['role', 'instanceProfile']`,
  },
  ...Object.entries(aliasFamilies).map(([alias, family]) => familyFollowsAlias(alias, family)),
  {
    rule: 'has(self.amiFamily) || self.amiSelectorTerms.exists(term, has(term.alias))',
    message: 'must specify amiFamily if amiSelectorTerms does not contain an alias',
  },
];

const spec = object(
  'How instances are started: from which image, in which network, with which disks and rights.',
  {
    subnetSelectorTerms: required(subnetSelectorTerms),
    securityGroupSelectorTerms: required(securityGroupSelectorTerms),
    capacityReservationSelectorTerms,
    placementGroupSelector,
    associatePublicIPAddress: boolean(
      'Whether instances get a public address; unset leaves it to the subnet.',
    ),
    ipPrefixCount: integer('How many IPv4 prefixes the primary interface gets at launch.', {
      format: 'int32',
      minimum: 0,
    }),
    amiSelectorTerms: required(amiSelectorTerms),
    amiFamily: enumeration(
      'How user data is made and which defaults apply. Follows from an alias; needed without one. `Custom` leaves user data entirely to you.',
      ['AL2', 'AL2023', 'Bottlerocket', 'Custom', 'Windows2019', 'Windows2022', 'Windows2025'],
    ),
    userData: string(
      'User data of your own, merged with what is generated for the family (for `Custom`, used as it is).',
    ),
    role: string(
      'The IAM role that instances take; an instance profile is made for it. Either this or `instanceProfile`.',
      { rules: [notEmpty('role')] },
    ),
    instanceProfile: string('An existing instance profile. Either this or `role`.', {
      rules: [notEmpty('instanceProfile')],
    }),
    tags,
    kubelet,
    blockDeviceMappings,
    instanceStorePolicy: enumeration(
      'What to do with local disks: `RAID0` joins them into one for pods and images; unset leaves them alone.',
      ['RAID0'],
    ),
    networkInterfaces,
    detailedMonitoring: boolean(
      'Whether CloudWatch gets metrics every minute (at a price) rather than every five.',
    ),
    metadataOptions: defaulted(metadataOptions, {
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
    }),
    connectionTracking,
    context: string('A context id that is handed to EC2 with each fleet request.'),
    cpuOptions,
  },
  { rules: specRules },
);

/** The EC2NodeClass kind. `specRequired` is off because Karpenter's CRD accepts a class without a spec. */
export const ec2NodeClassKind = resourceKind({
  group: 'karpenter.k8s.aws',
  version: 'v1',
  kind: 'EC2NodeClass',
  plural: 'ec2nodeclasses',
  shortNames: ['ec2nc', 'ec2ncs'],
  scope: 'Cluster',
  categories: ['karpenter'],
  description:
    'An EC2NodeClass says how the instances behind nodes are started in AWS. NodePools refer to it.',
  columns: [readyColumn, ageColumn, { name: 'Role', type: 'string', jsonPath: '.spec.role', priority: 1 }],
  spec,
  specRequired: false,
  status,
});

export type EC2NodeClass = ResourceOf<typeof ec2NodeClassKind>;
export type EC2NodeClassSpec = EC2NodeClass['spec'];
export type EC2NodeClassStatus = NonNullable<EC2NodeClass['status']>;
