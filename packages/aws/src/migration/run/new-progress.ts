import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { isStatic, type SourceGroup } from '../source/source-group.ts';
import type { ObservedCluster } from './observed-cluster.ts';
import type { GroupRecord, MigrationProgress } from './progress.ts';

export interface NewMigration {
  readonly clusterName: string;
  readonly groups: readonly SourceGroup[];
  readonly autoscaler: Deployment | undefined;
  /** Number of nodes to keep, by group; overrides the computed number. */
  readonly keep: ReadonlyMap<string, number>;
}

/** The record of a migration that has not begun, with the current state of everything. */
export function newProgress(migration: NewMigration, observed: ObservedCluster): MigrationProgress {
  const { clusterName, groups, autoscaler, keep } = migration;
  return {
    version: 1,
    clusterName,
    startedAt: observed.now,
    ...(autoscaler !== undefined && {
      autoscaler: {
        namespace: autoscaler.metadata?.namespace ?? 'kube-system',
        name: autoscaler.metadata?.name ?? '',
        replicas: autoscaler.spec?.replicas ?? 1,
      },
    }),
    groups: staticFirst(groups).flatMap((group) => groupRecord(group, observed, keep.get(group.name))),
  };
}

/** A static NodePool cannot grow, so the pods that need it move before others fill its nodes. */
function staticFirst(groups: readonly SourceGroup[]): readonly SourceGroup[] {
  return [...groups.filter(isStatic), ...groups.filter((group) => !isStatic(group))];
}

function groupRecord(
  { name, autoScalingGroup, nodegroup }: SourceGroup,
  observed: ObservedCluster,
  keep: number | undefined,
): readonly GroupRecord[] {
  const group = observed.groups.get(autoScalingGroup ?? '');
  if (autoScalingGroup === undefined || group === undefined) return [];
  const members = observed.nodes.filter(({ instanceId }) => group.instanceIds.includes(instanceId));
  const cordonedBefore = members.filter(({ isCordoned }) => isCordoned).map((node) => node.name);
  return [
    {
      name,
      autoScalingGroup,
      ...(nodegroup !== undefined && { nodegroup }),
      sizes: group.sizes,
      wasRebalanceSuspended: group.isRebalanceSuspended,
      cordonedBefore,
      keep: keep ?? keptForController(members, observed),
      phase: 'pending',
      drains: {},
    },
  ];
}

/** The controller must not run on nodes it manages: a group that hosts it keeps two nodes, or one in a single zone. */
function keptForController(members: ObservedCluster['nodes'], { pods }: ObservedCluster): number {
  const names = new Set(members.map(({ name }) => name));
  const isHost = pods.some(({ isKarpenter, nodeName = '' }) => isKarpenter && names.has(nodeName));
  const zones = new Set(members.map(({ zone }) => zone));
  return isHost ? Math.min(2, zones.size) : 0;
}
