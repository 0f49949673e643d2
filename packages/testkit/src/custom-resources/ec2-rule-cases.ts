import type { PropertyPath } from './json-path.ts';
import { type Breakage, bothOf, casesAt, type RuleCase, set } from './rule-case.ts';
import { ec2NodeClass, ec2NodeClassWithImages } from './samples.ts';

const exclusive = (field: string, place: string) =>
  `'${field}' is mutually exclusive, cannot be set with a combination of other fields in ${place}`;

function tagCases(list: string, term: PropertyPath): readonly RuleCase[] {
  const sample = list === 'amiSelectorTerms' ? ec2NodeClassWithImages : ec2NodeClass;
  return casesAt(
    sample,
    `spec.${list}[].tags`,
    [[`empty tag keys or values aren't supported`, set([...term, 'tags'], { '': 'x' })]],
    { field: `spec.${list}[0].tags` },
  );
}

const termCases = [
  ...['subnet', 'securityGroup', 'capacityReservation', 'ami'].flatMap((of) =>
    tagCases(`${of}SelectorTerms`, ['spec', `${of}SelectorTerms`, 0]),
  ),
  ...casesAt(ec2NodeClass, 'spec.subnetSelectorTerms', [
    ['subnetSelectorTerms cannot be empty', set(['spec', 'subnetSelectorTerms'], [])],
    [`expected at least one, got none, ['tags', 'id']`, set(['spec', 'subnetSelectorTerms'], [{}])],
    [
      exclusive('id', 'a subnet selector term'),
      set(['spec', 'subnetSelectorTerms'], [{ id: 'subnet-1', tags: { a: 'b' } }]),
    ],
  ]),
  ...casesAt(ec2NodeClass, 'spec.securityGroupSelectorTerms', [
    ['securityGroupSelectorTerms cannot be empty', set(['spec', 'securityGroupSelectorTerms'], [])],
    [
      `expected at least one, got none, ['tags', 'id', 'name']`,
      set(['spec', 'securityGroupSelectorTerms'], [{}]),
    ],
    [
      exclusive('id', 'a security group selector term'),
      set(['spec', 'securityGroupSelectorTerms'], [{ id: 'sg-1', tags: { a: 'b' } }]),
    ],
    [
      exclusive('name', 'a security group selector term'),
      set(['spec', 'securityGroupSelectorTerms'], [{ name: 'nodes', tags: { a: 'b' } }]),
    ],
  ]),
  ...casesAt(ec2NodeClass, 'spec.capacityReservationSelectorTerms', [
    [
      `expected at least one, got none, ['tags', 'id', 'instanceMatchCriteria']`,
      set(['spec', 'capacityReservationSelectorTerms'], [{ ownerID: '123456789012' }]),
    ],
    [
      `'id' is mutually exclusive, cannot be set along with other fields in a capacity reservation selector term`,
      set(['spec', 'capacityReservationSelectorTerms'], [{ id: 'cr-1', ownerID: '123456789012' }]),
    ],
  ]),
  ...casesAt(ec2NodeClass, 'spec.placementGroupSelector', [
    [`expected at least one, got none, ['name', 'id']`, set(['spec', 'placementGroupSelector'], {})],
    [`'name' and 'id' are mutually exclusive`, set(['spec', 'placementGroupSelector', 'id'], 'pg-1')],
  ]),
  ...casesAt(ec2NodeClassWithImages, 'spec.amiSelectorTerms', [
    [
      `expected at least one, got none, ['tags', 'id', 'name', 'alias', 'ssmParameter']`,
      set(['spec', 'amiSelectorTerms'], [{ owner: 'self' }]),
    ],
    [exclusive('id', 'amiSelectorTerms'), set(['spec', 'amiSelectorTerms', 0], { id: 'ami-1', name: 'x' })],
    [
      exclusive('alias', 'amiSelectorTerms'),
      set(['spec', 'amiSelectorTerms'], [{ alias: 'al2023@latest', owner: 'self' }]),
    ],
    [
      `'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms`,
      set(['spec', 'amiSelectorTerms', 0], { alias: 'al2023@latest' }),
    ],
  ]),
];

const alias = (text: string) => set(['spec', 'amiSelectorTerms'], [{ alias: text }]);
const families = { al2: 'AL2', al2023: 'AL2023', bottlerocket: 'Bottlerocket' };
const windows = { windows2019: 'Windows2019', windows2022: 'Windows2022', windows2025: 'Windows2025' };

const aliasCases = [
  ...casesAt(
    ec2NodeClass,
    'spec.amiSelectorTerms[].alias',
    [
      [`'alias' is improperly formatted, must match the format 'family@version'`, alias('al2023')],
      [
        `family is not supported, must be one of the following: 'al2', 'al2023', 'bottlerocket', 'windows2019', 'windows2022', 'windows2025'`,
        alias('ubuntu@latest'),
      ],
      [`windows families may only specify version 'latest'`, alias('windows2022@v1')],
    ],
    { field: 'spec.amiSelectorTerms[0].alias' },
  ),
  ...casesAt(ec2NodeClass, 'spec', [
    ...Object.entries({ ...families, ...windows }).map(([name, family]): Breakage => {
      const article = family.startsWith('AL') ? 'an' : 'a';
      const other = family === 'AL2' ? 'AL2023' : 'AL2';
      return [
        `if set, amiFamily must be '${family}' or 'Custom' when using ${article} ${family} alias`,
        bothOf(alias(`${name}@latest`), set(['spec', 'amiFamily'], other)),
      ];
    }),
    [
      'must specify amiFamily if amiSelectorTerms does not contain an alias',
      bothOf(set(['spec', 'amiSelectorTerms'], [{ id: 'ami-1' }]), set(['spec', 'amiFamily'], undefined)),
    ],
    [`must specify exactly one of ['role', 'instanceProfile']`, set(['spec', 'instanceProfile'], 'nodes')],
  ]),
];

const tag = (key: string) => set(['spec', 'tags'], { [key]: 'x' });
const kubelet = (name: string) => ['spec', 'kubelet', name];
const resourceKeys = `['cpu','memory','ephemeral-storage','pid']`;
const signals = `['memory.available','nodefs.available','nodefs.inodesFree','imagefs.available','imagefs.inodesFree','pid.available']`;

const kubeletCases = [
  ...['systemReserved', 'kubeReserved'].flatMap((name) =>
    casesAt(ec2NodeClass, `spec.kubelet.${name}`, [
      [`valid keys for ${name} are ${resourceKeys}`, set(kubelet(name), { pods: '1' })],
      [`${name} value cannot be a negative resource quantity`, set(kubelet(name), { cpu: '-1' })],
    ]),
  ),
  ...['evictionHard', 'evictionSoft', 'evictionSoftGracePeriod'].flatMap((name) =>
    casesAt(ec2NodeClass, `spec.kubelet.${name}`, [
      [`valid keys for ${name} are ${signals}`, set(kubelet(name), { 'memory.used': '5' })],
    ]),
  ),
  ...casesAt(ec2NodeClass, 'spec.kubelet', [
    [
      'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent',
      set(kubelet('imageGCHighThresholdPercent'), 80),
    ],
    [
      'evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod',
      set(kubelet('evictionSoftGracePeriod'), {}),
    ],
    [
      'evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft',
      set(kubelet('evictionSoft'), {}),
    ],
  ]),
];

const restrictedTagKeys = [
  'eks:eks-cluster-name',
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  'karpenter.k8s.aws/ec2nodeclass',
];

const optionCases = [
  ...casesAt(ec2NodeClass, 'spec.role', [['role cannot be empty', set(['spec', 'role'], '')]]),
  ...casesAt(ec2NodeClassWithImages, 'spec.instanceProfile', [
    ['instanceProfile cannot be empty', set(['spec', 'instanceProfile'], '')],
  ]),
  ...casesAt(ec2NodeClass, 'spec.tags', [
    [`empty tag keys aren't supported`, tag('')],
    ['tag contains a restricted tag matching kubernetes.io/cluster/', tag('kubernetes.io/cluster/dev')],
    ...restrictedTagKeys.map((key): Breakage => [`tag contains a restricted tag matching ${key}`, tag(key)]),
  ]),
  ...casesAt(ec2NodeClass, 'spec.blockDeviceMappings', [
    [
      'must have only one blockDeviceMappings with rootVolume',
      set(['spec', 'blockDeviceMappings', 1, 'rootVolume'], true),
    ],
  ]),
  ...casesAt(
    ec2NodeClass,
    'spec.blockDeviceMappings[].ebs',
    [
      ['snapshotID or volumeSize must be defined', set(['spec', 'blockDeviceMappings', 0, 'ebs'], {})],
      [
        'snapshotID must be set when volumeInitializationRate is set',
        set(['spec', 'blockDeviceMappings', 0, 'ebs', 'snapshotID'], ''),
      ],
    ],
    { field: 'spec.blockDeviceMappings[0].ebs' },
  ),
  ...casesAt(ec2NodeClass, 'spec.networkInterfaces', [
    [
      `networkInterfaces must include a primary interface with interfaceType='interface'`,
      set(['spec', 'networkInterfaces', 0, 'interfaceType'], 'efa-only'),
    ],
    [
      'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card',
      set(['spec', 'networkInterfaces', 1, 'deviceIndex'], 0),
    ],
  ]),
  ...casesAt(ec2NodeClass, 'spec.connectionTracking', [
    [
      'at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set',
      set(['spec', 'connectionTracking'], {}),
    ],
  ]),
];

export const ec2RuleCases: readonly RuleCase[] = [
  ...termCases,
  ...aliasCases,
  ...kubeletCases,
  ...optionCases,
];
