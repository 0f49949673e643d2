import { type GroupNodes, groupNodes } from './group-nodes.ts';
import type { ObservedCluster, ObservedNode, ObservedPod } from './observed-cluster.ts';
import { drainProblem, groupProblem, settlingProblem } from './problems.ts';
import type { GroupRecord, MigrationProgress } from './progress.ts';

export interface DrainOptions {
  /** Number of nodes of a zone to drain concurrently. */
  readonly parallel: number;
  /** How long the drain of a node, and replacements until they are Ready, may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether to evict pods without a controller and pods with a do-not-disrupt annotation. */
  readonly force: boolean;
}

/** One change, or a reason to wait or to stop. Each is safe to repeat. */
export type MigrationStep =
  | { readonly kind: 'stop-autoscaler' }
  | { readonly kind: 'start-group'; readonly group: string; readonly nodes: readonly string[] }
  | { readonly kind: 'limit-group'; readonly group: string; readonly desired: number }
  | { readonly kind: 'suspend-rebalance'; readonly group: string }
  | { readonly kind: 'cordon'; readonly group: string; readonly node: string }
  | { readonly kind: 'start-drain'; readonly group: string; readonly node: string }
  | { readonly kind: 'evict'; readonly group: string; readonly pods: readonly ObservedPod[] }
  | {
      readonly kind: 'terminate';
      readonly group: string;
      readonly instanceId: string;
      readonly node?: string;
      readonly desired: number;
    }
  | { readonly kind: 'finish-group'; readonly group: string; readonly keep: number }
  /** The group was deleted. */
  | { readonly kind: 'skip-group'; readonly group: string }
  | { readonly kind: 'wait'; readonly reason: string }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'done' };

/** Decides the next step from the record and the observed state. Pure, so that a restarted run decides the same. */
export function nextStep(
  progress: MigrationProgress,
  observed: ObservedCluster,
  options: DrainOptions,
): MigrationStep {
  const { autoscaler } = observed;
  if (autoscaler !== undefined && autoscaler.replicas > 0) return { kind: 'stop-autoscaler' };
  if (autoscaler !== undefined && autoscaler.pods > 0)
    return { kind: 'wait', reason: 'Cluster Autoscaler to stop' };
  const record = progress.groups.find(({ phase }) => phase === 'moving');
  if (record !== undefined && isGone(record, observed)) return { kind: 'skip-group', group: record.name };
  if (record !== undefined) return groupStep(record, { progress, observed, options });
  const next = progress.groups.find(({ phase }) => phase === 'pending');
  if (next !== undefined && isGone(next, observed)) return { kind: 'skip-group', group: next.name };
  return next === undefined ? { kind: 'done' } : startStep(next, observed, options);
}

function isGone({ autoScalingGroup }: GroupRecord, { groups }: ObservedCluster): boolean {
  return !groups.has(autoScalingGroup);
}

interface StepContext {
  readonly progress: MigrationProgress;
  readonly observed: ObservedCluster;
  readonly options: DrainOptions;
}

function startStep(record: GroupRecord, observed: ObservedCluster, options: DrainOptions): MigrationStep {
  const { moving } = groupNodes(record, observed);
  const problem = groupProblem(record, podsOn(moving, observed), options);
  if (problem !== undefined) return { kind: 'problem', message: problem };
  return { kind: 'start-group', group: record.name, nodes: moving.map(({ name }) => name) };
}

function groupStep(record: GroupRecord, context: StepContext): MigrationStep {
  const nodes = groupNodes(record, context.observed);
  return preparation(record, nodes) ?? draining(record, nodes, context) ?? emptying(record, nodes);
}

/** While a group is moved it must not grow, rebalance instances between zones or get new pods. */
function preparation({ name: group }: GroupRecord, nodes: GroupNodes): MigrationStep | undefined {
  const { sizes, isRebalanceSuspended } = nodes.group;
  if (!isRebalanceSuspended) return { kind: 'suspend-rebalance', group };
  if (sizes.max > sizes.desired) return { kind: 'limit-group', group, desired: sizes.desired };
  const open = nodes.moving.find(({ isCordoned }) => !isCordoned);
  return open === undefined ? undefined : { kind: 'cordon', group, node: open.name };
}

function draining(record: GroupRecord, nodes: GroupNodes, context: StepContext): MigrationStep | undefined {
  const { observed, options, progress } = context;
  const { name: group, drains } = record;
  const drained = nodes.moving.filter(({ name }) => drains[name] !== undefined);
  const next = nextNode(nodes, drained, options.parallel);
  if (next !== undefined) return { kind: 'start-drain', group, node: next.name };
  if (drained.length === 0) return undefined;
  const pods = podsOn(drained, observed);
  const problem = drainProblem(pods, { record, observed, options });
  if (problem !== undefined) return { kind: 'problem', message: problem };
  const leaving = pods.filter(({ isTerminating }) => !isTerminating);
  if (leaving.length > 0) return { kind: 'evict', group, pods: leaving };
  const since = Math.min(...drained.map(({ name }) => drains[name] ?? observed.now));
  const unsettled = observed.pods.filter((pod) => isUnsettled(pod, since));
  const [waiting] = unsettled;
  if (waiting !== undefined) {
    const stuck = settlingProblem(unsettled, { progress, observed, options });
    return stuck === undefined
      ? { kind: 'wait', reason: `pod ${waiting.key} to be Ready` }
      : { kind: 'problem', message: stuck };
  }
  const empty = drained.find(({ name }) => !pods.some(({ nodeName }) => nodeName === name));
  if (empty === undefined) return { kind: 'wait', reason: `the pods of ${drained[0]?.name} to end` };
  const { instanceId, name: node } = empty;
  return { kind: 'terminate', group, instanceId, node, desired: nodes.group.sizes.desired - 1 };
}

/** Drains one zone at a time: the next node is in the zone that is being drained, if there is one. */
function nextNode(
  { moving }: GroupNodes,
  drained: readonly ObservedNode[],
  parallel: number,
): ObservedNode | undefined {
  if (drained.length >= parallel) return undefined;
  const zone = drained[0]?.zone ?? moving[0]?.zone;
  return moving.find((node) => node.zone === zone && !drained.includes(node));
}

/** After the last node: terminates instances that never joined, then sets the final sizes. */
function emptying({ name: group, keep }: GroupRecord, nodes: GroupNodes): MigrationStep {
  const { sizes } = nodes.group;
  const [instanceId] = nodes.strayInstances;
  if (instanceId !== undefined && nodes.kept.length + nodes.strayInstances.length > keep)
    return { kind: 'terminate', group, instanceId, desired: sizes.desired - 1 };
  return {
    kind: 'finish-group',
    group,
    keep: Math.min(keep, nodes.kept.length + nodes.strayInstances.length),
  };
}

/** Pods that a drain of these nodes has to move, terminating ones included. */
function podsOn(nodes: readonly ObservedNode[], { pods }: ObservedCluster): readonly ObservedPod[] {
  const names = new Set(nodes.map(({ name }) => name));
  return pods.filter(
    ({ nodeName, isMovable, isTerminating }) =>
      nodeName !== undefined && names.has(nodeName) && (isMovable || isTerminating),
  );
}

/**
 * Whether a pod was created since the drain began, as replacements are, and is not Ready. Timestamps are whole seconds.
 */
function isUnsettled({ createdAt, isReady, isMovable, isTerminating }: ObservedPod, since: number): boolean {
  return isMovable && !isTerminating && !isReady && createdAt >= Math.floor(since / 1000) * 1000;
}
