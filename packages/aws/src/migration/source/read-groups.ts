import type { AwsServices } from '../../ports/index.ts';
import { FindingList } from '../finding.ts';
import { autoscalerTags, isOfCluster } from './autoscaler-tags.ts';
import {
  clusterSecurityGroup,
  type DescribedGroup,
  describeGroups,
  describeNodegroups,
  templateContent,
} from './described-groups.ts';
import { type TemplateFields, templateFields } from './launch-template.ts';
import { managedGroup } from './managed-group.ts';
import { marketOf, overriddenTypes, reportGroup } from './mixed-instances.ts';
import type { SourceGroup } from './source-group.ts';

export interface GroupReading {
  readonly services: Pick<AwsServices, 'autoScaling' | 'eks' | 'ec2'>;
  readonly clusterName: string;
}

/** All node groups of the cluster, sorted by name: managed node groups and Auto Scaling groups with its tags. */
export async function readGroups({ services, clusterName }: GroupReading): Promise<readonly SourceGroup[]> {
  const all = await describeGroups(services);
  const byName = new Map(all.map((group) => [group.AutoScalingGroupName ?? '', group]));
  const securityGroup = await clusterSecurityGroup(services, clusterName);
  const groups: SourceGroup[] = [];
  const owned = new Set<string>();
  for (const nodegroup of await describeNodegroups(services, clusterName)) {
    for (const { name = '' } of nodegroup.resources?.autoScalingGroups ?? []) {
      const group = byName.get(name);
      owned.add(name);
      if (group !== undefined)
        groups.push(managedGroup(nodegroup, await selfManaged(services, group, securityGroup)));
    }
  }
  for (const [name, group] of byName)
    if (!owned.has(name) && isOfCluster(tagsOf(group), clusterName))
      groups.push(await selfManaged(services, group, securityGroup));
  return groups.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function tagsOf({ Tags = [] }: DescribedGroup): ReadonlyMap<string, string> {
  return new Map(Tags.map(({ Key = '', Value = '' }) => [Key, Value]));
}

async function selfManaged(
  services: GroupReading['services'],
  group: DescribedGroup,
  securityGroup: string | undefined,
): Promise<SourceGroup> {
  const name = group.AutoScalingGroupName ?? '';
  const findings = new FindingList(`group ${name}`);
  const content = await templateContent(services, group);
  if (content === undefined)
    findings.unmapped(
      'launch configuration',
      'AWS has retired it: give the group a launch template, or write the EC2NodeClass by hand',
    );
  reportGroup(group, findings);
  const template = templateFields(content ?? {}, findings);
  return groupOf(group, { template, securityGroup, findings });
}

interface GroupParts {
  readonly template: TemplateFields;
  readonly securityGroup: string | undefined;
  readonly findings: FindingList;
}

function groupOf(group: DescribedGroup, { template, securityGroup, findings }: GroupParts): SourceGroup {
  const name = group.AutoScalingGroupName ?? '';
  const tags = tagsOf(group);
  const fromTags = autoscalerTags(tags);
  const types = overriddenTypes(group);
  const { imageId, instanceProfile } = template;
  if (imageId !== undefined && template.family === undefined)
    findings.approximate(
      `image ${imageId}`,
      'amiFamily AL2023 is assumed: correct it in the EC2NodeClass if it is another',
    );
  return {
    name,
    origin: 'Auto Scaling group',
    autoScalingGroup: name,
    sizes: { min: group.MinSize ?? 0, desired: group.DesiredCapacity ?? 0, max: group.MaxSize ?? 0 },
    instanceTypes: types.length === 0 ? template.instanceTypes : types,
    selector: {},
    market: marketOf(group, template.isSpot),
    labels: { ...template.labels, ...fromTags.labels },
    taints: fromTags.taints.length === 0 ? template.taints : fromTags.taints,
    zones: group.AvailabilityZones ?? [],
    subnetIds: (group.VPCZoneIdentifier ?? '').split(',').filter((id) => id !== ''),
    securityGroupIds:
      template.securityGroupIds.length > 0 || securityGroup === undefined
        ? template.securityGroupIds
        : [securityGroup],
    image: { family: template.family ?? 'AL2023', ...(imageId !== undefined && { id: imageId }) },
    ...(instanceProfile !== undefined && { instanceProfile }),
    nodeClass: template.nodeClass,
    tags: { ...template.tags, ...Object.fromEntries(tags) },
    extendedResources: fromTags.extendedResources,
    autoscalerOptions: fromTags.autoscalerOptions,
    findings: findings.list,
  };
}
