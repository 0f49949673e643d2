import type { LabelSelector, Labels } from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import type { PodSpecView } from '../pod-spec.ts';
import type { PodView } from '../snapshot.ts';

/** Labels by which Kubernetes' own controllers give each pod of a StatefulSet or an indexed Job an identity. */
const identityLabels = [
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/job-completion-index',
  'statefulset.kubernetes.io/pod-name',
] as const;

/**
 * The identity labels that no rule of these pods reads, so that they do not make each pod a class of its own.
 *
 * @param pods to place
 * @param holders bound pods with anti-affinity terms, which may select pods to place
 */
export function* unreadIdentityLabels(
  pods: readonly PodView[],
  holders: readonly PodView[],
): Steps<ReadonlySet<string>> {
  const unread = new Set<string>();
  const findPresent = ({ metadata: { labels = {} } }: PodView) => {
    for (const key of identityLabels) if (Object.hasOwn(labels, key)) unread.add(key);
  };
  const removeRead = ({ spec }: PodView) => {
    for (const key of unread) if (reads(spec, key)) unread.delete(key);
  };
  yield* inSteps(pods, findPresent, 'light');
  if (unread.size > 0) yield* inSteps(pods, removeRead, 'light');
  if (unread.size > 0) yield* inSteps(holders, removeRead, 'light');
  return unread;
}

/** The labels that matter; the same object if all do. */
export function withoutLabels(labels: Labels, ignored: ReadonlySet<string>): Labels {
  if (ignored.size === 0) return labels;
  const kept = Object.entries(labels).filter(([key]) => !ignored.has(key));
  return kept.length === Object.keys(labels).length ? labels : Object.fromEntries(kept);
}

/** Whether a spread constraint or a term of pod affinity or anti-affinity of the pod depends on the label. */
function reads({ affinity, topologySpreadConstraints = [] }: PodSpecView, key: string): boolean {
  return (
    topologySpreadConstraints.some(
      ({ labelSelector, matchLabelKeys }) =>
        matchLabelKeys?.includes(key) === true || selectsBy(labelSelector, key),
    ) ||
    [affinity?.podAffinity, affinity?.podAntiAffinity].some((terms) => {
      const required = terms?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
      const preferred = terms?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
      return (
        required.some(({ labelSelector }) => selectsBy(labelSelector, key)) ||
        preferred.some(({ podAffinityTerm }) => selectsBy(podAffinityTerm.labelSelector, key))
      );
    })
  );
}

function selectsBy(selector: LabelSelector | undefined, key: string): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return Object.hasOwn(matchLabels, key) || matchExpressions.some((expression) => expression.key === key);
}
