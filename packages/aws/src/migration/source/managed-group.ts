import { type AmiFamilyName, amiFamilies } from '../../ami-family/index.ts';
import { FindingList } from '../finding.ts';
import type { ManagedGroup } from './described-groups.ts';
import type { GroupImage, GroupTaint, SourceGroup } from './source-group.ts';

const effects: Readonly<Record<string, GroupTaint['effect']>> = {
  NO_SCHEDULE: 'NoSchedule',
  NO_EXECUTE: 'NoExecute',
  PREFER_NO_SCHEDULE: 'PreferNoSchedule',
};

/** A managed node group. Values of EKS override those of its Auto Scaling group and launch template. */
export function managedGroup(nodegroup: ManagedGroup, group: SourceGroup): SourceGroup {
  const { nodegroupName: name = group.name, scalingConfig, instanceTypes = [], labels = {} } = nodegroup;
  const findings = new FindingList(`group ${name}`);
  const image = managedImage(nodegroup, group, findings);
  reportManaged(nodegroup, findings);
  const role = nodegroup.nodeRole?.split('/').at(-1);
  const taints = (nodegroup.taints ?? []).map(taintFrom);
  const { instanceProfile: _, ...rest } = group;
  return {
    ...rest,
    name,
    origin: 'managed node group',
    nodegroup: name,
    sizes: {
      min: scalingConfig?.minSize ?? group.sizes.min,
      desired: group.sizes.desired,
      max: scalingConfig?.maxSize ?? group.sizes.max,
    },
    instanceTypes: instanceTypes.length > 0 ? instanceTypes : group.instanceTypes,
    market:
      nodegroup.capacityType === 'SPOT'
        ? { onDemandBase: 0, onDemandPercentage: 0 }
        : { onDemandBase: 0, onDemandPercentage: 100 },
    labels: { ...group.labels, ...labels },
    taints: taints.length > 0 ? taints : group.taints,
    image,
    ...(role !== undefined && { role }),
    nodeClass: { ...rootVolume(nodegroup, image.family), ...group.nodeClass },
    tags: { ...group.tags, ...nodegroup.tags },
    findings: [
      ...group.findings.map((finding) => ({ ...finding, subject: `group ${name}` })),
      ...findings.list,
    ],
  };
}

function taintFrom({
  key = '',
  value = '',
  effect = 'NO_SCHEDULE',
}: NonNullable<ManagedGroup['taints']>[number]): GroupTaint {
  return { key, ...(value !== '' && { value }), effect: effects[effect] ?? 'NoSchedule' };
}

/** EKS sizes the root volume by `diskSize`, unless a custom launch template has volumes. */
function rootVolume(
  { diskSize }: ManagedGroup,
  family: AmiFamilyName,
): Pick<SourceGroup['nodeClass'], 'blockDeviceMappings'> {
  const deviceName = amiFamilies[family].dataVolume?.deviceName;
  if (diskSize === undefined || deviceName === undefined) return {};
  const volume = { volumeSize: `${diskSize}Gi`, volumeType: 'gp3', deleteOnTermination: true } as const;
  return { blockDeviceMappings: [{ deviceName, ebs: volume }] };
}

function managedImage(
  { amiType = 'AL2023_x86_64_STANDARD', releaseVersion }: ManagedGroup,
  { image }: SourceGroup,
  findings: FindingList,
): GroupImage {
  const family = managedFamily(amiType);
  if (family === undefined) {
    findings.approximate(
      `amiType: ${amiType}`,
      'EC2NodeClass amiFamily Custom with the id of the image: its user data must join the cluster itself',
    );
    return { ...image, family: 'Custom' };
  }
  const version = releasedVersion(family, releaseVersion);
  if (/NVIDIA|NEURON|GPU/.test(amiType))
    findings.mapped(
      `amiType: ${amiType}`,
      'the alias: Karpenter takes the accelerated variant for types with GPUs',
    );
  return { family, ...(version !== undefined && { version }) };
}

function managedFamily(amiType: string): AmiFamilyName | undefined {
  if (amiType.startsWith('AL2023_')) return 'AL2023';
  if (amiType.startsWith('AL2_')) return 'AL2';
  if (amiType.startsWith('BOTTLEROCKET_')) return 'Bottlerocket';
  const [, year] = /^WINDOWS_(?:CORE|FULL)_(2019|2022|2025)/.exec(amiType) ?? [];
  return year === undefined ? undefined : (`Windows${year}` as AmiFamilyName);
}

/** Parses `1.33.0-20250701` of Amazon Linux and `1.20.3-5d9ac849` of Bottlerocket; Windows aliases have no versions. */
export function releasedVersion(family: AmiFamilyName, release: string | undefined): string | undefined {
  if (family === 'Bottlerocket') return prefixed(/^(\d+\.\d+\.\d+)-/.exec(release ?? '')?.[1]);
  return family.startsWith('AL') ? prefixed(/-(\d{8})$/.exec(release ?? '')?.[1]) : undefined;
}

function prefixed(version: string | undefined): string | undefined {
  return version === undefined ? undefined : `v${version}`;
}

function reportManaged({ remoteAccess, nodeRepairConfig }: ManagedGroup, findings: FindingList): void {
  if (remoteAccess?.ec2SshKey !== undefined)
    findings.unmapped(
      `remoteAccess ${remoteAccess.ec2SshKey}`,
      'nodes of Karpenter have no SSH key: use Session Manager',
    );
  if (nodeRepairConfig?.enabled === true)
    findings.approximate('nodeRepairConfig', 'the feature gate NodeRepair of the controller');
}
