import { type Taint, tolerates } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import { isFinished, isTerminating } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';

interface TaintEvictions {
  /** Pods to evict now. */
  readonly due: readonly Pod[];
  /** When the next pod is due; undefined if none is. */
  readonly nextAt: Instant | undefined;
}

export function evictionsFrom(node: Node, pods: readonly Pod[], now: Instant): TaintEvictions {
  if (!node.spec?.taints?.some(({ effect }) => effect === 'NoExecute')) return { due: [], nextAt: undefined };
  const leaving = pods.flatMap((pod) => {
    const at = evictionAt(pod, node, now);
    return at === undefined ? [] : [{ pod, at }];
  });
  const later = leaving.filter(({ at }) => at > now).map(({ at }) => at);
  return {
    due: leaving.filter(({ at }) => at <= now).map(({ pod }) => pod),
    nextAt: later.length === 0 ? undefined : Math.min(...later),
  };
}

/** When the NoExecute taints of the node evict the pod; undefined if it may stay. */
function evictionAt(pod: Pod, node: Node, now: Instant): Instant | undefined {
  if (isTerminating(pod) || isFinished(pod)) return undefined;
  const taints = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  const ends = taints.map((taint) => toleratedUntil(pod, taint, now));
  const earliest = Math.min(Number.POSITIVE_INFINITY, ...ends);
  return earliest === Number.POSITIVE_INFINITY ? undefined : earliest;
}

/** The shortest tolerationSeconds of all matching tolerations counts. */
function toleratedUntil({ spec }: Pod, taint: Taint, now: Instant): Instant {
  const tolerations = (spec?.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
  if (tolerations.length === 0) return now;
  const seconds = tolerations.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
  if (seconds.length === 0) return Number.POSITIVE_INFINITY;
  return (instantOf(taint.timeAdded) ?? now) + Math.max(0, Math.min(...seconds)) * 1000;
}
