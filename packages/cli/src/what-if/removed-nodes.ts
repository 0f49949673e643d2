import { nodeClaims, stateSources } from '@karpenter/controllers/cluster';
import { formatTimestamp } from '@karpenter/core/api';
import { blockers } from '@karpenter/core/disruption';
import {
  allowsUnhealthyEviction,
  type ClusterPod,
  isProtected,
  isReschedulable,
  PodBudgets,
} from '@karpenter/core/state';
import type { KubeObject } from '@karpenter/kube/client';
import type { ObjectLists } from './object-lists.ts';
import { unknownName } from './unknown-name.ts';

/** A pod that a drain of its node would wait for. */
export interface BlockedPod {
  readonly node: string;
  /** `namespace/name`. */
  readonly pod: string;
  readonly message: string;
}

export interface NodeRemoval {
  readonly lists: ObjectLists;
  readonly blocked: readonly BlockedPod[];
}

/**
 * The cluster without these nodes and their NodeClaims. Pods that need another node wait for one, as the pods that
 * their controllers would create; daemons and static pods go with the node. Pods that an eviction would not move now
 * wait for a node too, because the question is where they would go, and are reported as blocked.
 */
export function withoutNodes(lists: ObjectLists, names: readonly string[], at: number): NodeRemoval {
  const removed = new Set(names);
  checkNames(lists, removed);
  const ids = new Set(
    lists
      .of(stateSources.Node)
      .filter(({ metadata }) => removed.has(metadata.name))
      .flatMap(({ spec }) => spec?.providerID ?? []),
  );
  const isOn = ({ spec }: ClusterPod) => removed.has(spec.nodeName ?? '');
  const pods = lists.of(stateSources.Pod);
  const rest = lists
    .filter(stateSources.Node, ({ metadata }) => !removed.has(metadata.name))
    .filter(
      nodeClaims,
      ({ status }) => !removed.has(status?.nodeName ?? '') && !ids.has(status?.providerID ?? ''),
    )
    .filter(stateSources.CSINode, ({ metadata }) => !removed.has(metadata.name))
    .filter(stateSources.VolumeAttachment, ({ spec }) => !removed.has(spec.nodeName));
  const waiting = pods.flatMap((pod) => (isOn(pod) ? evicted(pod, at) : [pod]));
  return {
    lists: rest.with(stateSources.Pod, waiting),
    blocked: blockedPods(lists, pods.filter(isOn), at),
  };
}

function checkNames(lists: ObjectLists, names: ReadonlySet<string>): void {
  const known = new Set(lists.of(stateSources.Node).map(({ metadata }) => metadata.name));
  for (const name of names)
    if (!known.has(name)) throw unknownName({ flag: '--remove-node', what: 'node', name }, [...known]);
}

const unschedulable = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }],
};

/**
 * The pod that takes the place of an evicted one; none for pods that go with their node. It is created now, so that no
 * NodeClaim that is launching already counts as made for it.
 */
function evicted(pod: ClusterPod & KubeObject, at: number): readonly (ClusterPod & KubeObject)[] {
  if (!isReschedulable(pod)) return [];
  const { deletionTimestamp: _deleted, ...metadata } = pod.metadata;
  const { nodeName: _node, ...spec } = pod.spec;
  const created = { ...metadata, creationTimestamp: formatTimestamp(at) };
  return [{ ...pod, metadata: created, spec, status: unschedulable }];
}

function blockedPods(lists: ObjectLists, pods: readonly ClusterPod[], at: number): readonly BlockedPod[] {
  const budgets = new PodBudgets(lists.of(stateSources.PodDisruptionBudget));
  return pods.filter(isReschedulable).flatMap((pod) => {
    const message = blockerOf(pod, budgets, at);
    const { namespace, name } = pod.metadata;
    return message === undefined
      ? []
      : [{ node: pod.spec.nodeName ?? '', pod: `${namespace}/${name}`, message }];
  });
}

/** Why the pod cannot be evicted now, in the words of the event `DisruptionBlocked`. */
function blockerOf(pod: ClusterPod, budgets: PodBudgets, at: number): string | undefined {
  const { namespace, name } = pod.metadata;
  if (isProtected(pod, at)) return blockers.podAnnotation(`${namespace}/${name}`).message;
  const [budget, ...others] = budgets.protecting(pod);
  if (budget === undefined) return undefined;
  const names = [budget, ...others].map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  if (others.length > 0) return blockers.multiplePdbs(names).message;
  const isExhausted = (budget.status?.disruptionsAllowed ?? 0) === 0 && !allowsUnhealthyEviction(budget, pod);
  return isExhausted ? blockers.exhaustedPdb(names.join()).message : undefined;
}
