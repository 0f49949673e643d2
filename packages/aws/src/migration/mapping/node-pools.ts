import { isRestrictedLabel, labelKeys, type NodePool } from '@karpenter/core/api';
import { labelValueProblems, qualifiedNameProblems } from '@karpenter/core/values';
import { awsLabelPolicy } from '../../names/index.ts';
import type { AutoscalerSettings } from '../autoscaler/autoscaler-settings.ts';
import { groupDisruption } from '../autoscaler/group-options.ts';
import type { FindingList } from '../finding.ts';
import { isStatic, type SourceGroup } from '../source/source-group.ts';
import { instanceRequirements, type PoolRequirement } from './instance-requirements.ts';
import { type MarketShare, marketShares } from './market-shares.ts';

export interface PoolOptions {
  readonly settings: AutoscalerSettings;
  /** Weights by group name, from the priority expander. */
  readonly weights: ReadonlyMap<string, number>;
  /** Whether pools may launch types that are similar to those of the group. */
  readonly widen: boolean;
  /** Name of the EC2NodeClass of the group. */
  readonly className: string;
}

/** The NodePools that replace a group: one, or two for a group that mixes on-demand and spot. */
export function nodePoolsOf(
  group: SourceGroup,
  options: PoolOptions,
  findings: FindingList,
): readonly NodePool[] {
  const requirements = [
    ...instanceRequirements(group, findings, options.widen),
    ...zoneRequirements(group, findings),
  ];
  const disruption = groupDisruption(group, options.settings, findings);
  const labels = labelsOf(group, findings);
  reportTaints(group, findings);
  reportResources(group, findings);
  return marketShares(group, findings).map((share) => {
    const sizes = sizesOf(group, share, options);
    return {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: share.poolName },
      spec: {
        template: {
          ...(Object.keys(labels).length > 0 && { metadata: { labels } }),
          spec: {
            requirements: [...requirements, ...osRequirements(group), ...share.requirements],
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: options.className },
            ...(group.taints.length > 0 && { taints: [...group.taints] }),
            ...startup(options.settings),
            // Cluster Autoscaler does not expire nodes either.
            expireAfter: 'Never',
          },
        },
        disruption,
        ...sizes,
      },
    };
  });
}

function startup({ startupTaints, terminationGracePeriod }: AutoscalerSettings) {
  return {
    ...(startupTaints.length > 0 && { startupTaints: [...startupTaints] }),
    ...(terminationGracePeriod !== undefined && { terminationGracePeriod }),
  };
}

function osRequirements({ image }: SourceGroup): readonly PoolRequirement[] {
  const values = [image.family.startsWith('Windows') ? 'windows' : 'linux'];
  return [{ key: labelKeys.operatingSystem, operator: 'In', values }];
}

function zoneRequirements({ zones }: SourceGroup, findings: FindingList): readonly PoolRequirement[] {
  if (zones.length === 0) return [];
  findings.mapped(`zones: ${zones.join(', ')}`, `requirement on ${labelKeys.zone}`);
  return [{ key: labelKeys.zone, operator: 'In', values: [...zones] }];
}

/** A static pool has replicas, and limits on nodes only. The limit is one higher, so that drift can replace a node. */
function sizesOf(
  group: SourceGroup,
  share: MarketShare,
  { settings, weights }: PoolOptions,
): Pick<NodePool['spec'], 'replicas' | 'limits' | 'weight'> {
  if (isStatic(group))
    return { replicas: share.replicas, limits: { nodes: String(Math.max(1, share.nodes) + 1) } };
  const weight = settings.usesPriorities ? weights.get(group.name) : undefined;
  const nodes = Math.min(share.nodes, Number(settings.limits['nodes'] ?? share.nodes));
  return {
    limits: { ...settings.limits, nodes: String(nodes) },
    ...(weight !== undefined && { weight }),
  };
}

/** Labels that name the group itself tie pods to it, so they are left out. */
const groupLabels = /^(eks\.amazonaws\.com|alpha\.eksctl\.io)\//;

function labelsOf({ labels }: SourceGroup, findings: FindingList): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(labels)) {
    const setting = `label ${key}=${value}`;
    if (groupLabels.test(key))
      findings.unmapped(
        setting,
        'it names the group: change selectors of pods on it before their group is drained',
      );
    else if (awsLabelPolicy.wellKnown.has(key))
      findings.notNeeded(setting, 'every node has this label already');
    else if (isRestrictedLabel(key, awsLabelPolicy) || key === labelKeys.hostname)
      findings.unmapped(setting, 'Karpenter reserves this label: use another name');
    else if (qualifiedNameProblems(key).length > 0 || labelValueProblems(value).length > 0)
      findings.unmapped(setting, 'Kubernetes takes no such label');
    else {
      kept[key] = value;
      findings.mapped(setting, 'NodePool spec.template.metadata.labels');
    }
  }
  return kept;
}

function reportTaints({ taints }: SourceGroup, findings: FindingList): void {
  for (const { key, value = '', effect } of taints)
    findings.mapped(`taint ${key}=${value}:${effect}`, 'NodePool spec.template.spec.taints');
}

function reportResources({ extendedResources }: SourceGroup, findings: FindingList): void {
  for (const [name, amount] of Object.entries(extendedResources))
    findings.approximate(
      `tag node-template/resources/${name}: ${amount}`,
      'known for the types of EC2; for a resource of your own, a NodeOverlay with spec.capacity',
    );
}
