import type { SpreadSources } from '@karpenter/core/default-spread';
import type { ObjectCaches } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, keyOf, kinds } from '@karpenter/kube/client';

export const spreadKinds: readonly Kind[] = [
  kinds.service,
  kinds.replicationController,
  kinds.replicaSet,
  kinds.statefulSet,
];

/**
 * The objects from whose selectors the kube-scheduler derives the pods that its default constraints spread.
 */
export function spreadSourcesOf(caches: ObjectCaches): SpreadSources {
  return {
    services: caches.of(kinds.service).list().map(selecting),
    replicationControllers: caches.of(kinds.replicationController).list().map(selecting),
    replicaSets: caches.of(kinds.replicaSet).list().map(selecting),
    statefulSets: caches.of(kinds.statefulSet).list().map(selecting),
  };
}

function selecting<S>(object: KubeObject & { readonly spec?: { readonly selector?: S } }) {
  const { namespace = '', name } = keyOf(object);
  const selector = object.spec?.selector;
  return { metadata: { namespace, name }, spec: selector === undefined ? {} : { selector } };
}
