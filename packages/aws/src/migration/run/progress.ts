import type { GroupSizes } from '../source/source-group.ts';

/** The Deployment of Cluster Autoscaler as it was. */
export interface AutoscalerRecord {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
}

/** How far one group is, and what it was before: all that a rollback needs. */
export interface GroupRecord {
  readonly name: string;
  readonly autoScalingGroup: string;
  /** Name in EKS, of a managed node group. */
  readonly nodegroup?: string;
  readonly sizes: GroupSizes;
  /** Whether somebody else had suspended AZ rebalance. */
  readonly wasRebalanceSuspended: boolean;
  /** Nodes that somebody else had cordoned. */
  readonly cordonedBefore: readonly string[];
  /** Nodes that stay in the group. */
  readonly keep: number;
  readonly phase: 'pending' | 'moving' | 'done';
  /** When the drain of each node began, in milliseconds since 1970. */
  readonly drains: Readonly<Record<string, number>>;
}

/** The record of a migration, kept in the cluster, so that any process can go on with it or take it back. */
export interface MigrationProgress {
  readonly version: 1;
  readonly clusterName: string;
  readonly startedAt: number;
  readonly autoscaler?: AutoscalerRecord;
  readonly groups: readonly GroupRecord[];
}

export function withGroup(
  progress: MigrationProgress,
  name: string,
  change: Partial<GroupRecord>,
): MigrationProgress {
  const groups = progress.groups.map((group) => (group.name === name ? { ...group, ...change } : group));
  return { ...progress, groups };
}

/** A record that is continued: groups that it knows stay as they are, new ones are added. */
export function continued(known: MigrationProgress, wanted: MigrationProgress): MigrationProgress {
  const names = new Set(known.groups.map(({ name }) => name));
  const added = wanted.groups.filter(({ name }) => !names.has(name));
  const { autoscaler = wanted.autoscaler } = known;
  return { ...known, ...(autoscaler !== undefined && { autoscaler }), groups: [...known.groups, ...added] };
}
