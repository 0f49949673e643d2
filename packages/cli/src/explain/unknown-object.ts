import { CodedError } from '@karpenter/core/errors';
import type { ClusterPod } from '@karpenter/core/state';
import { nearestName } from '@karpenter/core/values';

/** Suggests the namespace that has such a pod, or the nearest name. */
export function unknownPod(pods: readonly ClusterPod[], namespace: string, name: string): CodedError {
  const elsewhere = pods.find(({ metadata }) => metadata.name === name)?.metadata.namespace;
  if (elsewhere !== undefined)
    return unknown(
      `there is no pod "${name}" in namespace ${namespace}, but one in ${elsewhere}; use -n ${elsewhere}`,
    );
  const names = pods
    .filter(({ metadata }) => metadata.namespace === namespace)
    .map(({ metadata }) => metadata.name);
  if (names.length > 0)
    return unknownObject({ kind: 'pod', name, where: ` in namespace ${namespace}` }, names);
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace))].sort();
  const nearest = nearestName(namespace, namespaces);
  const advice =
    nearest === undefined ? `pods are in ${shortList(namespaces)}` : `did you mean -n ${nearest}?`;
  return unknown(`there are no pods in namespace ${namespace}; ${advice}`);
}

/** Suggests the nearest name, or else lists what there is. */
export function unknownObject(
  { kind, name, where = '' }: { readonly kind: string; readonly name: string; readonly where?: string },
  names: readonly string[],
): CodedError {
  const nearest = nearestName(name, names);
  const advice =
    nearest === undefined
      ? `there ${names.length === 1 ? 'is' : 'are'} ${shortList(names)}`
      : `did you mean ${nearest}?`;
  return unknown(`there is no ${kind} ${JSON.stringify(name)}${where}; ${advice}`);
}

function unknown(message: string): CodedError {
  return new CodedError('unknown-object', message);
}

const maxListed = 5;

function shortList(names: readonly string[]): string {
  if (names.length === 0) return 'none at all';
  const rest = names.length - maxListed;
  return `${names.toSorted().slice(0, maxListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
