import { groupNodes } from './group-nodes.ts';
import type { MigrationStep } from './next-step.ts';
import type { ObservedCluster } from './observed-cluster.ts';
import type { GroupRecord, MigrationProgress } from './progress.ts';
import type { RollbackStep } from './rollback.ts';

/** Describes a step of a run in one line. */
export function stepText(step: MigrationStep, { autoscaler }: MigrationProgress): string {
  switch (step.kind) {
    case 'stop-autoscaler':
      return `scale Deployment ${autoscaler?.namespace}/${autoscaler?.name} from ${autoscaler?.replicas} to 0 replicas`;
    case 'start-group':
      return `group ${step.group}: check that the pods of ${counted(step.nodes.length, 'node')} fit elsewhere`;
    case 'limit-group':
      return `group ${step.group}: lower the maximum to ${step.desired}`;
    case 'suspend-rebalance':
      return `group ${step.group}: suspend AZ rebalance`;
    case 'cordon':
      return `group ${step.group}: cordon node ${step.node}`;
    case 'start-drain':
      return `group ${step.group}: drain node ${step.node}`;
    case 'evict':
      return `group ${step.group}: evict ${counted(step.pods.length, 'pod')}`;
    case 'terminate':
      return `group ${step.group}: terminate instance ${step.instanceId}${step.node === undefined ? '' : ` of node ${step.node}`} and lower minimum and desired size to ${step.desired}`;
    case 'finish-group':
      return `group ${step.group}: set minimum, desired size and maximum to ${step.keep}`;
    case 'skip-group':
      return `group ${step.group}: skip it, because its Auto Scaling group does not exist any more`;
    case 'wait':
      return `wait for ${step.reason}`;
    case 'problem':
      return step.message;
    default:
      return 'done';
  }
}

export function rollbackText(step: RollbackStep, { autoscaler }: MigrationProgress): string {
  if (step.kind === 'restart-autoscaler')
    return `scale Deployment ${autoscaler?.namespace}/${autoscaler?.name} to ${counted(step.replicas, 'replica')}`;
  const { name, sizes } = step.group;
  if (step.kind === 'uncordon') return `group ${name}: uncordon node ${step.node}`;
  if (step.kind === 'resume-rebalance') return `group ${name}: resume AZ rebalance`;
  return `group ${name}: restore minimum ${sizes.min}, desired size ${sizes.desired} and maximum ${sizes.max}`;
}

/** The steps of a run, in order, if nothing else changes and every first eviction succeeds. */
export function plannedSteps(progress: MigrationProgress, observed: ObservedCluster): readonly string[] {
  const { autoscaler } = observed;
  const stop: readonly MigrationStep[] =
    autoscaler === undefined || autoscaler.replicas === 0 ? [] : [{ kind: 'stop-autoscaler' }];
  const steps = [...stop, ...progress.groups.flatMap((record) => groupSteps(record, observed))];
  return steps.map((step) => stepText(step, progress));
}

function groupSteps(record: GroupRecord, observed: ObservedCluster): readonly MigrationStep[] {
  const { name: group, phase } = record;
  if (phase === 'done' || !observed.groups.has(record.autoScalingGroup)) return [];
  const { group: asg, moving, kept, strayInstances } = groupNodes(record, observed);
  const { sizes, isRebalanceSuspended } = asg;
  const strays = strayInstances.slice(0, Math.max(0, kept.length + strayInstances.length - record.keep));
  const leaving: readonly LeavingInstance[] = [
    ...moving.map(({ instanceId, name }) => ({ instanceId, node: name })),
    ...strays.map((instanceId) => ({ instanceId })),
  ];
  return [
    ...(phase === 'moving'
      ? []
      : [{ kind: 'start-group', group, nodes: moving.map(({ name }) => name) } as const]),
    ...(isRebalanceSuspended ? [] : [{ kind: 'suspend-rebalance', group } as const]),
    ...(sizes.max > sizes.desired ? [{ kind: 'limit-group', group, desired: sizes.desired } as const] : []),
    ...moving
      .filter(({ isCordoned }) => !isCordoned)
      .map(({ name }) => ({ kind: 'cordon', group, node: name }) as const),
    ...leaving.flatMap((each, index) => leavingSteps(each, group, sizes.desired - index - 1)),
    { kind: 'finish-group', group, keep: Math.min(record.keep, kept.length + strayInstances.length) },
  ];
}

interface LeavingInstance {
  readonly instanceId: string;
  readonly node?: string;
}

function leavingSteps(leaving: LeavingInstance, group: string, desired: number): readonly MigrationStep[] {
  const { node } = leaving;
  const terminate: MigrationStep = { kind: 'terminate', group, ...leaving, desired };
  return node === undefined ? [terminate] : [{ kind: 'start-drain', group, node }, terminate];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
