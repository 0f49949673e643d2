import type { NodePool } from '@karpenter/core/api';
import type { AutoscalerSettings } from '../autoscaler/autoscaler-settings.ts';
import { FindingList, type MigrationFinding } from '../finding.ts';
import type { SourceGroup } from '../source/source-group.ts';
import { type NewNodeClass, nodeClassOf } from './node-classes.ts';
import { nodePoolsOf } from './node-pools.ts';

export interface MappingOptions {
  readonly clusterName: string;
  readonly settings: AutoscalerSettings;
  readonly weights: ReadonlyMap<string, number>;
  readonly widen: boolean;
}

/** The EC2NodeClass and NodePools that replace one group, with findings. */
export interface MappedGroup {
  readonly group: SourceGroup;
  readonly nodeClass: NewNodeClass;
  readonly nodePools: readonly NodePool[];
  readonly findings: readonly MigrationFinding[];
}

export function mapGroup(group: SourceGroup, options: MappingOptions): MappedGroup {
  const findings = new FindingList(`group ${group.name}`);
  const nodeClass = nodeClassOf(group, options.clusterName, findings);
  const pools = { ...options, className: nodeClass.metadata?.name ?? '' };
  const nodePools = nodePoolsOf(group, pools, findings);
  return { group, nodeClass, nodePools, findings: [...findings.list, ...group.findings] };
}
