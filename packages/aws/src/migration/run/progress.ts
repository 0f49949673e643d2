import type { GroupSizes } from '../source/source-group.ts';

/** The Deployment of Cluster Autoscaler before the migration. */
export interface AutoscalerRecord {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
}

/** Progress of one group, and its state before the migration, which a rollback restores. */
export interface GroupRecord {
  readonly name: string;
  readonly autoScalingGroup: string;
  /** Name in EKS; set for managed node groups. */
  readonly nodegroup?: string;
  readonly sizes: GroupSizes;
  /** Whether AZ rebalance was suspended before. */
  readonly wasRebalanceSuspended: boolean;
  /** Nodes that were cordoned before; a rollback leaves them cordoned. */
  readonly cordonedBefore: readonly string[];
  /** Number of nodes that stay in the group. */
  readonly keep: number;
  readonly phase: 'pending' | 'moving' | 'done';
  /** When the drain of each node began, in milliseconds since 1970. */
  readonly drains: Readonly<Record<string, number>>;
}

/** The record of a migration, stored in the cluster, so that any process can continue it or roll it back. */
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

/** Merges a stored record with a new one: known groups keep their progress, new ones are added. */
export function continued(known: MigrationProgress, wanted: MigrationProgress): MigrationProgress {
  const names = new Set(known.groups.map(({ name }) => name));
  const added = wanted.groups.filter(({ name }) => !names.has(name));
  const { autoscaler = wanted.autoscaler } = known;
  return { ...known, ...(autoscaler !== undefined && { autoscaler }), groups: [...known.groups, ...added] };
}
