import type { ObjectName } from '../../decisions/index.ts';
import type { ClusterPod } from '../../state/index.ts';

export function podName({ metadata }: ClusterPod): ObjectName {
  return { kind: 'Pod', namespace: metadata.namespace, name: metadata.name };
}

/** Where an equal value is in the list; earlier changes may have moved it. */
export function indexOfEqual<T>(list: readonly T[], value: T): number {
  const text = JSON.stringify(value);
  return list.findIndex((each) => JSON.stringify(each) === text);
}
