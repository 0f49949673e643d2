import { CodedError } from '@karpenter/core/errors';
import type { AmiFamilyName } from '../../ami-family/index.ts';
import { FindingList } from '../finding.ts';
import { taintOf } from '../source/autoscaler-tags.ts';
import { releasedVersion } from '../source/managed-group.ts';
import type {
  GroupImage,
  GroupMarket,
  GroupTaint,
  InstanceSelector,
  SourceGroup,
} from '../source/source-group.ts';
import { EksctlFields, type Table } from './fields.ts';
import { groupNodeClass } from './group-node-class.ts';
import { reportFields } from './unmapped-fields.ts';

export interface GroupContext {
  readonly isManaged: boolean;
  /** Path in the file, such as `nodeGroups[0]`. */
  readonly place: string;
  readonly file: string;
  readonly clusterName: string;
}

export function eksctlGroup(table: Table, context: GroupContext): SourceGroup {
  const fields = new EksctlFields(table, context.file, context.place);
  const name = fields.text('name');
  if (name === undefined || name === '')
    throw new CodedError(
      'invalid-object',
      `${context.file} cannot be read as an eksctl file: ${context.place} has no name; give it one`,
      { details: { file: context.file } },
    );
  const findings = new FindingList(`group ${name}`);
  const image = imageOf(fields, findings);
  const iam = fields.child('iam');
  const instanceProfile = iam.text('instanceProfileARN')?.split('/').at(-1);
  const role = iam.text('instanceRoleARN')?.split('/').at(-1);
  const group: SourceGroup = {
    name,
    origin: 'eksctl file',
    sizes: sizesOf(fields),
    instanceTypes: typesOf(fields),
    selector: selectorOf(fields.child('instanceSelector'), findings),
    market: marketOf(fields),
    labels: fields.map('labels'),
    taints: taintsOf(fields),
    zones: fields.texts('availabilityZones'),
    subnetIds: idsOf(fields.texts('subnets'), 'subnet-', findings),
    securityGroupIds: idsOf(fields.child('securityGroups').texts('attachIDs'), 'sg-', findings),
    image,
    ...(role !== undefined && { role }),
    ...(role === undefined && instanceProfile !== undefined && { instanceProfile }),
    nodeClass: groupNodeClass(fields, image.family, findings),
    tags: fields.map('tags'),
    extendedResources: {},
    autoscalerOptions: {},
    findings: [],
  };
  reportFields(fields, findings);
  return { ...group, findings: findings.list };
}

/** eksctl creates two nodes by default. */
function sizesOf(fields: EksctlFields): SourceGroup['sizes'] {
  const desired = fields.count('desiredCapacity') ?? fields.count('minSize') ?? 2;
  const min = fields.count('minSize') ?? desired;
  return { min, desired, max: fields.count('maxSize') ?? Math.max(min, desired) };
}

function typesOf(fields: EksctlFields): readonly string[] {
  const distributed = fields.child('instancesDistribution').texts('instanceTypes');
  const listed = [...fields.texts('instanceTypes'), ...distributed];
  const single = fields.text('instanceType');
  const all = single === undefined || single === 'mixed' ? listed : [single, ...listed];
  return [...new Set(all)];
}

function selectorOf(fields: EksctlFields, findings: FindingList): InstanceSelector {
  const vcpus = fields.count('vCPUs');
  const gpus = fields.count('gpus');
  const memoryMiB = memoryOf(fields.text('memory'));
  const architecture = fields.text('cpuArchitecture');
  for (const name of ['allow', 'deny'])
    if (fields.text(name) !== undefined)
      findings.unmapped(
        `instanceSelector.${name}`,
        'write it as a requirement on karpenter.k8s.aws/instance-family',
      );
  return {
    ...(vcpus !== undefined && { vcpus }),
    ...(memoryMiB !== undefined && { memoryMiB }),
    ...(gpus !== undefined && { gpus }),
    ...(architecture === 'arm64' && { architecture: 'arm64' }),
    ...((architecture === 'x86_64' || architecture === 'amd64') && { architecture: 'amd64' }),
  };
}

/** Parses `4`, `4GiB` and `4096MiB`; eksctl reads a bare number as GiB. */
function memoryOf(text: string | undefined): number | undefined {
  const [, amount, unit = 'GiB'] = /^(\d+(?:\.\d+)?)\s*(MiB|Mi|GiB|Gi|GB|MB)?$/.exec(text ?? '') ?? [];
  if (amount === undefined) return undefined;
  return Math.round(Number(amount) * (unit.startsWith('G') ? 1024 : 1));
}

/** The default percentage of `instancesDistribution` is 100, as in Auto Scaling. */
function marketOf(fields: EksctlFields): GroupMarket {
  if (fields.flag('spot') === true) return { onDemandBase: 0, onDemandPercentage: 0 };
  const distribution = fields.child('instancesDistribution');
  return {
    onDemandBase: distribution.count('onDemandBaseCapacity') ?? 0,
    onDemandPercentage: distribution.count('onDemandPercentageAboveBaseCapacity') ?? 100,
  };
}

/** eksctl accepts a list of taints, and in old files a map of `key: value:Effect`. */
function taintsOf(fields: EksctlFields): readonly GroupTaint[] {
  if (!Array.isArray(fields.value('taints')))
    return Object.entries(fields.map('taints')).flatMap(([key, text]) => taintOf(key, text));
  return fields
    .children('taints')
    .flatMap((taint) =>
      taintOf(taint.text('key') ?? '', `${taint.text('value') ?? ''}:${taint.text('effect') ?? ''}`),
    );
}

const families: Readonly<Record<string, AmiFamilyName>> = {
  AmazonLinux2: 'AL2',
  AmazonLinux2023: 'AL2023',
  Bottlerocket: 'Bottlerocket',
  WindowsServer2019CoreContainer: 'Windows2019',
  WindowsServer2019FullContainer: 'Windows2019',
  WindowsServer2022CoreContainer: 'Windows2022',
  WindowsServer2022FullContainer: 'Windows2022',
  WindowsServer2025CoreContainer: 'Windows2025',
  WindowsServer2025FullContainer: 'Windows2025',
};

function imageOf(fields: EksctlFields, findings: FindingList): GroupImage {
  const name = fields.text('amiFamily') ?? 'AmazonLinux2023';
  const id = fields.text('ami');
  const family = families[name];
  if (family === undefined)
    findings.approximate(
      `amiFamily: ${name}`,
      'EC2NodeClass amiFamily Custom: give the id of an image and user data that joins the cluster',
    );
  const version = releasedVersion(family ?? 'Custom', fields.text('releaseVersion'));
  return {
    family: family ?? 'Custom',
    ...(id?.startsWith('ami-') === true && { id }),
    ...(version !== undefined && { version }),
  };
}

/** eksctl also accepts names of subnets that the file defines; an EC2NodeClass selects by id or tags. */
function idsOf(texts: readonly string[], prefix: string, findings: FindingList): readonly string[] {
  for (const text of texts)
    if (!text.startsWith(prefix))
      findings.unmapped(text, `it is no id of the form ${prefix}0123: write a term that selects it`);
  return texts.filter((text) => text.startsWith(prefix));
}
