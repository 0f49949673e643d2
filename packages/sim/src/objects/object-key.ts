import type { CompleteOwnerReference } from '@karpenter/core/schema';
import { type KubeObject, keyOf, keyText } from '@karpenter/kube/client';

/** `namespace/name`, or the name of a cluster-scoped object: the key in work queues. */
export function keyTextOf(object: KubeObject): string {
  return keyText(keyOf(object));
}

/** The owner reference with `controller: true`. */
export function controllerOf({ metadata }: KubeObject): CompleteOwnerReference | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const uid = owner.metadata?.uid;
  return uid !== undefined && controllerOf(object)?.uid === uid;
}
