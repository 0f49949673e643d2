import type { PodView } from '@karpenter/core/scheduling';
import type { Labels } from '@karpenter/core/values';

/** Labels of the namespaces that pods are in; every namespace carries its own name, as the API server sees to. */
export function namespaceLabels(
  pods: Iterable<PodView>,
  written: ReadonlyMap<string, Labels> = new Map(),
): ReadonlyMap<string, Labels> {
  const names = new Set([...written.keys(), ...[...pods].map(({ metadata }) => metadata.namespace)]);
  return new Map(
    [...names].sort().map((name) => [name, { 'kubernetes.io/metadata.name': name, ...written.get(name) }]),
  );
}
