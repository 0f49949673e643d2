import { type NodePool, timestampMs } from '@karpenter/core/api';
import { compileLabelSelector } from '@karpenter/core/values';
import { type KubeReader, kinds, nodePools } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import type { AwsServices } from '../../ports/index.ts';
import { type DescribedGroup, describeGroups } from '../source/described-groups.ts';
import type { ObservedCluster, ObservedGroup, ObservedNode } from './observed-cluster.ts';
import { observedPods } from './observed-pods.ts';
import type { AutoscalerRecord, MigrationProgress } from './progress.ts';

export interface ObservationSources {
  readonly client: KubeReader;
  readonly services: Pick<AwsServices, 'autoScaling'>;
  readonly now: () => Instant;
}

/** What to observe: the groups, and the Deployment of Cluster Autoscaler if there is one. */
type Watched = Pick<MigrationProgress, 'autoscaler'> & {
  readonly groups: readonly { readonly autoScalingGroup: string }[];
};

/**
 * Reads everything that the next step depends on. Called for each step, so that nothing is assumed from the last one.
 */
export async function observe(
  { client, services, now }: ObservationSources,
  progress: Watched,
): Promise<ObservedCluster> {
  const names = progress.groups.map(({ autoScalingGroup }) => autoScalingGroup);
  const groups = names.length === 0 ? [] : await describeGroups(services, names);
  const nodes = await client.list(kinds.node);
  const pods = await client.list(kinds.pod);
  const budgets = await client.list(kinds.podDisruptionBudget);
  const pools = await client.list(nodePools);
  const autoscaler = await observedAutoscaler(client, progress.autoscaler, pods.items);
  const at = now();
  return {
    now: at,
    ...(autoscaler !== undefined && { autoscaler }),
    groups: new Map(groups.map((group) => [group.AutoScalingGroupName ?? '', observedGroup(group)])),
    nodes: nodes.items.flatMap(observedNode),
    pods: observedPods(pods.items, budgets.items, at),
    unhealthyPools: pools.items.flatMap(unhealthyPool),
  };
}

async function observedAutoscaler(
  client: KubeReader,
  record: AutoscalerRecord | undefined,
  pods: readonly Pod[],
): Promise<ObservedCluster['autoscaler']> {
  if (record === undefined) return undefined;
  const { namespace, name } = record;
  const deployment = await client.find(kinds.deployment, { namespace, name });
  if (deployment === undefined) return undefined;
  const isSelected = compileLabelSelector(deployment.spec?.selector);
  const own = pods.filter(
    ({ metadata }) => metadata?.namespace === namespace && isSelected(metadata.labels ?? {}),
  );
  return { replicas: deployment.spec?.replicas ?? 1, pods: own.length };
}

export function observedGroup(group: DescribedGroup): ObservedGroup {
  const { MinSize = 0, MaxSize = 0, DesiredCapacity = 0, Instances = [], SuspendedProcesses = [] } = group;
  return {
    sizes: { min: MinSize, max: MaxSize, desired: DesiredCapacity },
    isRebalanceSuspended: SuspendedProcesses.some(({ ProcessName }) => ProcessName === 'AZRebalance'),
    instanceIds: Instances.filter(
      ({ LifecycleState = '' }) => !LifecycleState.startsWith('Terminat'),
    ).flatMap(({ InstanceId }) => InstanceId ?? []),
  };
}

export function observedNode({ metadata, spec }: Node): readonly ObservedNode[] {
  const instanceId = /^aws:\/\/\/[^/]+\/(i-[0-9a-f]+)$/.exec(spec?.providerID ?? '')?.[1];
  if (instanceId === undefined || metadata?.name === undefined) return [];
  return [
    {
      name: metadata.name,
      instanceId,
      zone: metadata.labels?.['topology.kubernetes.io/zone'] ?? '',
      createdAt: timestampMs(metadata.creationTimestamp) ?? 0,
      isCordoned: spec?.unschedulable === true,
    },
  ];
}

function unhealthyPool({ metadata, status }: NodePool): ObservedCluster['unhealthyPools'] {
  const found = (status?.conditions ?? []).find(
    ({ type, status: value }) => type === 'NodeRegistrationHealthy' && value === 'False',
  );
  if (found === undefined) return [];
  const { message = '', lastTransitionTime } = found;
  return [{ name: metadata.name, message, since: timestampMs(lastTransitionTime) ?? 0 }];
}
