import type { Instant } from '@karpenter/kube/runtime';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { isFinished, isTerminating } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';

/** A node that has just gone may only be missing from the cache. */
const quarantineMs = 40_000;
const mostFinished = 12_500;

export interface LostPods {
  /** On nodes that are no more; they failed there. */
  readonly orphaned: readonly Pod[];
  /** Deleted before they had a node; nobody else will end them. */
  readonly unscheduled: readonly Pod[];
  /** On nodes that were declared out of service while the pod was leaving. */
  readonly outOfService: readonly Pod[];
  /** The oldest finished pods beyond the number that is kept. */
  readonly surplus: readonly Pod[];
}

export interface PodWorld {
  readonly pods: readonly Pod[];
  readonly node: (name: string) => Node | undefined;
  /** When a node was first missed. */
  readonly missedSince: (name: string) => Instant;
}

const outOfServiceTaint = 'node.kubernetes.io/out-of-service';

export function lostPods({ pods, node, missedSince }: PodWorld, now: Instant): LostPods {
  const isOrphaned = ({ spec }: Pod) =>
    Boolean(spec?.nodeName) &&
    node(spec?.nodeName ?? '') === undefined &&
    missedSince(spec?.nodeName ?? '') + quarantineMs <= now;
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
    surplus: finished.toSorted(byAge).slice(0, Math.max(0, finished.length - mostFinished)),
  };
}

function byAge(a: Pod, b: Pod): number {
  return (instantOf(a.metadata?.creationTimestamp) ?? 0) - (instantOf(b.metadata?.creationTimestamp) ?? 0);
}
