import type { Instant } from '@karpenter/kube/runtime';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { isFinished, isTerminating } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';

/**
 * A node may only be missing from the cache, so its pods are kept this long (quarantine in Kubernetes' pod
 * GC).
 */
const quarantineMs = 40_000;
/** The default of --terminated-pod-gc-threshold. */
const maxFinished = 12_500;

export interface LostPods {
  /** Bound to a node that no longer exists; marked as failed before they are deleted. */
  readonly orphaned: readonly Pod[];
  /** Terminating without a node; no kubelet will finish them. */
  readonly unscheduled: readonly Pod[];
  /** Terminating on a node that is not ready and has the out-of-service taint. */
  readonly outOfService: readonly Pod[];
  /** The oldest finished pods beyond the limit. */
  readonly surplus: readonly Pod[];
}

export interface PodGcInputs {
  readonly pods: readonly Pod[];
  readonly node: (name: string) => Node | undefined;
  /** When the node was first found missing. */
  readonly missingSince: (name: string) => Instant;
}

const outOfServiceTaint = 'node.kubernetes.io/out-of-service';

/** The pods that no other component will delete. */
export function lostPods({ pods, node, missingSince }: PodGcInputs, now: Instant): LostPods {
  const isOrphaned = ({ spec }: Pod) =>
    Boolean(spec?.nodeName) &&
    node(spec?.nodeName ?? '') === undefined &&
    missingSince(spec?.nodeName ?? '') + quarantineMs <= now;
  const isOut = (pod: Pod) => {
    const host = node(pod.spec?.nodeName ?? '');
    const isReady = host?.status?.conditions?.some(
      ({ type, status }) => type === 'Ready' && status === 'True',
    );
    return (
      isTerminating(pod) &&
      !isReady &&
      (host?.spec?.taints ?? []).some(({ key }) => key === outOfServiceTaint)
    );
  };
  const finished = pods.filter((pod) => isFinished(pod) && !isTerminating(pod));
  return {
    orphaned: pods.filter(isOrphaned),
    unscheduled: pods.filter((pod) => isTerminating(pod) && !pod.spec?.nodeName),
    outOfService: pods.filter(isOut),
    surplus: finished.toSorted(byAge).slice(0, Math.max(0, finished.length - maxFinished)),
  };
}

function byAge(a: Pod, b: Pod): number {
  return (instantOf(a.metadata?.creationTimestamp) ?? 0) - (instantOf(b.metadata?.creationTimestamp) ?? 0);
}
