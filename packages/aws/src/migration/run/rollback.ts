import { CodedError } from '@karpenter/core/errors';
import type { KubeClient } from '@karpenter/kube/client';
import { kinds } from '@karpenter/kube/client';
import type { AwsServices } from '../../ports/index.ts';
import { describeGroups } from '../source/described-groups.ts';
import { observedGroup, observedNode } from './observation.ts';
import type { ObservedGroup, ObservedNode } from './observed-cluster.ts';
import { scaleAutoscaler, setSizes, setUnschedulable, zoneRebalancing } from './perform-step.ts';
import type { GroupRecord, MigrationProgress } from './progress.ts';
import { ProgressStore } from './progress-store.ts';

/** One change of a rollback. */
export type RollbackStep =
  | { readonly kind: 'restore-sizes'; readonly group: GroupRecord }
  | { readonly kind: 'uncordon'; readonly group: GroupRecord; readonly node: string }
  | { readonly kind: 'resume-rebalance'; readonly group: GroupRecord }
  | { readonly kind: 'restart-autoscaler'; readonly replicas: number };

export interface RollbackPorts {
  readonly client: KubeClient;
  readonly services: Pick<AwsServices, 'autoScaling' | 'eks'>;
  readonly onStep: (step: RollbackStep) => void;
}

/** The remaining changes, in order: Cluster Autoscaler last, because it must not act before capacity is restored. */
function rollbackSteps(
  progress: MigrationProgress,
  groups: ReadonlyMap<string, ObservedGroup>,
  nodes: readonly ObservedNode[],
): readonly RollbackStep[] {
  const touched = progress.groups.filter(({ phase }) => phase !== 'pending');
  const { autoscaler } = progress;
  return [
    ...touched.flatMap((group) => groupSteps(group, groups.get(group.autoScalingGroup), nodes)),
    ...(autoscaler === undefined
      ? []
      : [{ kind: 'restart-autoscaler', replicas: autoscaler.replicas } as const]),
  ];
}

function groupSteps(
  group: GroupRecord,
  observed: ObservedGroup | undefined,
  nodes: readonly ObservedNode[],
): readonly RollbackStep[] {
  if (observed === undefined) return [];
  const cordoned = nodes.filter(
    ({ instanceId, isCordoned, name }) =>
      isCordoned && observed.instanceIds.includes(instanceId) && !group.cordonedBefore.includes(name),
  );
  return [
    { kind: 'restore-sizes', group },
    ...cordoned.map(({ name }): RollbackStep => ({ kind: 'uncordon', group, node: name })),
    ...(group.wasRebalanceSuspended ? [] : [{ kind: 'resume-rebalance', group } as const]),
  ];
}

/** Returns the record of the migration and the steps of its rollback. Throws if there is no record. */
export async function plannedRollback(
  client: KubeClient,
  services: Pick<AwsServices, 'autoScaling'>,
): Promise<{ readonly progress: MigrationProgress; readonly steps: readonly RollbackStep[] }> {
  const progress = await new ProgressStore(client).read();
  if (progress === undefined)
    throw new CodedError(
      'unknown-object',
      'there is no migration to roll back: ConfigMap kube-system/karpenter-migration does not exist; check the context of the kubeconfig',
    );
  const names = progress.groups.map(({ autoScalingGroup }) => autoScalingGroup);
  const groups = names.length === 0 ? [] : await describeGroups(services, names);
  const { items } = await client.list(kinds.node);
  const observed = new Map(groups.map((group) => [group.AutoScalingGroupName ?? '', observedGroup(group)]));
  return { progress, steps: rollbackSteps(progress, observed, items.flatMap(observedNode)) };
}

/** Rolls the migration back. An interrupted rollback starts over; every step is idempotent. */
export async function rollBack(ports: RollbackPorts): Promise<void> {
  const { client, services, onStep } = ports;
  const { progress, steps } = await plannedRollback(client, services);
  for (const step of steps) {
    onStep(step);
    await undo(step, progress, ports);
  }
  await new ProgressStore(client).remove();
}

async function undo(step: RollbackStep, progress: MigrationProgress, ports: RollbackPorts): Promise<void> {
  const { client, services } = ports;
  const { clusterName } = progress;
  if (step.kind === 'restart-autoscaler') return scaleAutoscaler(client, progress, step.replicas);
  if (step.kind === 'restore-sizes') return setSizes(step.group, step.group.sizes, { services, clusterName });
  if (step.kind === 'uncordon') return setUnschedulable(client, step.node, false);
  await services.autoScaling.resumeProcesses({
    AutoScalingGroupName: step.group.autoScalingGroup,
    ScalingProcesses: zoneRebalancing,
  });
}
