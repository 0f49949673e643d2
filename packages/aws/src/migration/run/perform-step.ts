import {
  isDisruptionBudgetRefusal,
  isNotFound,
  isTooManyRequests,
  type KubeClient,
  kinds,
} from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import type { AwsServices } from '../../ports/index.ts';
import type { MigrationStep } from './next-step.ts';
import type { ObservedPod } from './observed-cluster.ts';
import { type GroupRecord, type MigrationProgress, withGroup } from './progress.ts';
import type { ProgressStore } from './progress-store.ts';

export interface StepPorts {
  readonly client: KubeClient;
  readonly services: Pick<AwsServices, 'autoScaling' | 'eks'>;
  readonly store: ProgressStore;
  readonly now: () => Instant;
}

export const zoneRebalancing = ['AZRebalance'];

/** Makes one change and returns the new record. The record is written before any later step depends on it. */
export async function performStep(
  step: MigrationStep,
  progress: MigrationProgress,
  ports: StepPorts,
): Promise<MigrationProgress> {
  if (step.kind === 'stop-autoscaler') {
    await scaleAutoscaler(ports.client, progress, 0);
    return progress;
  }
  if (!('group' in step)) return progress;
  const record = progress.groups.find(({ name }) => name === step.group);
  return record === undefined ? progress : performOn(record, { step, progress, ports });
}

interface GroupChange {
  readonly step: Extract<MigrationStep, { readonly group: string }>;
  readonly progress: MigrationProgress;
  readonly ports: StepPorts;
}

async function performOn(
  record: GroupRecord,
  { step, progress, ports }: GroupChange,
): Promise<MigrationProgress> {
  const { client, services, now } = ports;
  const AutoScalingGroupName = record.autoScalingGroup;
  const recorded = async (change: Partial<GroupRecord>) => {
    const changed = withGroup(progress, record.name, change);
    await ports.store.write(changed);
    return changed;
  };
  switch (step.kind) {
    case 'start-group':
      return recorded({ phase: 'moving' });
    case 'suspend-rebalance':
      await services.autoScaling.suspendProcesses({
        AutoScalingGroupName,
        ScalingProcesses: zoneRebalancing,
      });
      return progress;
    case 'limit-group':
      await services.autoScaling.updateAutoScalingGroup({ AutoScalingGroupName, MaxSize: step.desired });
      return progress;
    case 'cordon':
      await setUnschedulable(client, step.node, true);
      return progress;
    case 'start-drain':
      return recorded({ drains: { ...record.drains, [step.node]: now() } });
    case 'evict':
      for (const pod of step.pods) await evict(client, pod);
      return progress;
    case 'terminate':
      await terminate(record, step, services);
      return progress;
    case 'skip-group':
      return recorded({ phase: 'done' });
    case 'finish-group':
      await setSizes(
        record,
        { min: step.keep, desired: step.keep, max: step.keep },
        { services, clusterName: progress.clusterName },
      );
      return recorded({ phase: 'done' });
    default:
      step satisfies never;
      return progress;
  }
}

/** Lowers the minimum first, because Auto Scaling rejects going below it; the next step lowers the maximum. */
async function terminate(
  { autoScalingGroup }: GroupRecord,
  { instanceId, desired }: Extract<MigrationStep, { readonly kind: 'terminate' }>,
  { autoScaling }: StepPorts['services'],
): Promise<void> {
  await autoScaling.updateAutoScalingGroup({
    AutoScalingGroupName: autoScalingGroup,
    MinSize: Math.max(0, desired),
  });
  await autoScaling.terminateInstanceInAutoScalingGroup({
    InstanceId: instanceId,
    ShouldDecrementDesiredCapacity: true,
  });
}

/** Sets the sizes of the Auto Scaling group, and for managed node groups also in EKS, which would restore its own. */
export async function setSizes(
  { autoScalingGroup, nodegroup }: GroupRecord,
  { min, desired, max }: GroupRecord['sizes'],
  { services, clusterName }: Pick<StepPorts, 'services'> & { readonly clusterName: string },
): Promise<void> {
  await services.autoScaling.updateAutoScalingGroup({
    AutoScalingGroupName: autoScalingGroup,
    MinSize: min,
    MaxSize: max,
    DesiredCapacity: desired,
  });
  if (nodegroup === undefined) return;
  // EKS rejects a maximum of zero.
  const scalingConfig = { minSize: min, desiredSize: desired, maxSize: Math.max(1, max) };
  await services.eks.updateNodegroupConfig({ clusterName, nodegroupName: nodegroup, scalingConfig });
}

export async function scaleAutoscaler(
  client: KubeClient,
  { autoscaler }: MigrationProgress,
  replicas: number,
): Promise<void> {
  if (autoscaler === undefined) return;
  const { namespace, name } = autoscaler;
  await ifPresent(
    client.patch(kinds.deployment, { namespace, name }, { type: 'merge', body: { spec: { replicas } } }),
  );
}

export async function setUnschedulable(client: KubeClient, name: string, isCordoned: boolean): Promise<void> {
  const body = { spec: { unschedulable: isCordoned ? true : null } };
  await ifPresent(client.patch(kinds.node, { name }, { type: 'merge', body }));
}

/** A refusal by a PodDisruptionBudget is not a failure: a later step evicts the pod. */
async function evict(client: KubeClient, { namespace, name }: ObservedPod): Promise<void> {
  try {
    await client.evict({ namespace, name });
  } catch (error) {
    if (!isDisruptionBudgetRefusal(error) && !isTooManyRequests(error) && !isNotFound(error)) throw error;
  }
}

async function ifPresent(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
