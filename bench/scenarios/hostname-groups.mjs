import { selects } from './placement-rules.mjs';

const hostname = 'kubernetes.io/hostname';

/**
 * The groups of pods of which a node may hold only a few, as [name, most for each node], by the required rules of one
 * pod on the host name. Pods with the same rule that select themselves are in one group:
 *
 * - Anti-affinity: each of them repels all others, so a node holds one.
 * - Spread: a pod may join a node if the pods there, with itself, exceed the smallest count by no more than
 *   `maxSkew`. For the host name Karpenter takes that smallest count as zero, because a further node is always
 *   possible. So the last pod that joined saw at most `maxSkew` with itself.
 *
 * Pods that match a rule without having it are not counted: they may join after those that have it. Rules that look
 * into other namespaces or at `matchLabelKeys` are left out, which can only make the bound lower.
 */
export function hostnameGroupsOf({ metadata, spec }) {
  const { labels, namespace = 'default' } = metadata;
  const isOwn = ({ topologyKey, labelSelector, namespaces, namespaceSelector, ...rest }) =>
    topologyKey === hostname &&
    namespaces === undefined &&
    namespaceSelector === undefined &&
    rest.matchLabelKeys === undefined &&
    rest.mismatchLabelKeys === undefined &&
    selects(labelSelector, labels);
  const repelling = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const spreads = (spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway',
  );
  // Karpenter counts spreads of pods with different node rules apart.
  const nodeRules = [spec.nodeSelector, spec.affinity?.nodeAffinity, spec.tolerations];
  return [
    ...repelling.filter(isOwn).map(({ labelSelector }) => [nameOf('apart', namespace, labelSelector), 1]),
    ...spreads
      .filter(isOwn)
      .map((spread) => [nameOf('spread', namespace, spread, nodeRules), spread.maxSkew]),
  ];
}

const nameOf = (...parts) => JSON.stringify(parts);
