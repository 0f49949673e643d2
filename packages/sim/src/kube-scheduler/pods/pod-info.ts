import {
  type HostPort,
  hostPorts,
  podRequests,
  type Taint,
  type Toleration,
  untolerated,
} from '@karpenter/core/values';
import type { Pod, TopologySpreadConstraint, Volume } from 'kubernetes-types/core/v1.js';
import { keyTextOf } from '../../objects/object-key.ts';
import { isTerminating } from '../../objects/pod-status.ts';
import { type AffinityTerms, affinityTerms } from './affinity-terms.ts';
import { amountsOf, type SchedulerAmounts } from './amounts.ts';
import { type NodePredicate, namedNodes, requiredNodes } from './node-selection.ts';
import { identityOf, type SelectablePod } from './pod-selection.ts';

/** A pod with everything that filters and scores need, computed once. */
export interface PodInfo {
  readonly pod: Pod;
  readonly key: string;
  readonly identity: SelectablePod;
  /** Pods with the same key fit the same nodes. */
  readonly classKey: string;
  readonly priority: number;
  readonly requests: SchedulerAmounts;
  /**
   * The requests used for scoring, where kube-scheduler counts a pod without requests as a small one, so that
   * such pods do not all go to one node.
   */
  readonly nonZeroRequests: { readonly milliCpu: number; readonly memory: number };
  readonly hostPorts: readonly HostPort[];
  readonly tolerations: readonly Toleration[];
  readonly isTerminating: boolean;
  readonly requiredNodes: NodePredicate | undefined;
  readonly namedNodes: ReadonlySet<string> | undefined;
  readonly terms: AffinityTerms;
  readonly spread: readonly TopologySpreadConstraint[];
  /** Names of the PersistentVolumeClaims, in the namespace of the pod. */
  readonly claims: readonly string[];
}

const defaultMilliCpu = 100;
const defaultMemory = 200 * 1024 * 1024;

const known = new WeakMap<Pod, PodInfo>();

/** Cached per object, because scheduler and kubelets see the same pod objects. */
export function podInfo(pod: Pod): PodInfo {
  const info = known.get(pod) ?? infoOf(pod);
  known.set(pod, info);
  return info;
}

function infoOf(pod: Pod): PodInfo {
  const { metadata = {}, spec } = pod;
  const namespace = metadata.namespace ?? 'default';
  const identity = identityOf(namespace, metadata.labels ?? {});
  const requests = amountsOf(podRequests(pod));
  return {
    pod,
    key: keyTextOf(pod),
    identity,
    classKey: classKeyOf(pod, identity),
    priority: spec?.priority ?? 0,
    requests,
    nonZeroRequests: {
      milliCpu: requests.milliCpu || defaultMilliCpu,
      memory: requests.memory || defaultMemory,
    },
    hostPorts: hostPorts(pod),
    tolerations: spec?.tolerations ?? [],
    isTerminating: isTerminating(pod),
    requiredNodes: requiredNodes(pod),
    namedNodes: namedNodes(pod),
    terms: affinityTerms(pod, identity),
    spread: spec?.topologySpreadConstraints ?? [],
    claims: claimNames(pod),
  };
}

function classKeyOf({ spec }: Pod, identity: SelectablePod): string {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return JSON.stringify([
    identity.text,
    containers.map(({ resources, ports, restartPolicy }) => [resources, ports, restartPolicy]),
    [spec?.overhead, spec?.nodeSelector, spec?.affinity, spec?.tolerations, spec?.topologySpreadConstraints],
    [spec?.priority, spec?.preemptionPolicy, spec?.hostNetwork, spec?.volumes?.filter(isClaim)],
  ]);
}

function isClaim({ persistentVolumeClaim, ephemeral }: Volume): boolean {
  return persistentVolumeClaim !== undefined || ephemeral !== undefined;
}

/** Whether a taint keeps the pod away; PreferNoSchedule only affects the score. */
export function isRepelled(pod: PodInfo, taints: readonly Taint[]): boolean {
  if (taints.length === 0) return false;
  return untolerated(taints, pod.tolerations).some(({ effect }) => effect !== 'PreferNoSchedule');
}

/**
 * The names of the claims a pod uses. The claim of a generic ephemeral volume is named after pod and volume.
 */
export function claimNames({ metadata, spec }: Pod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${metadata?.name ?? ''}-${name}`];
  });
}
