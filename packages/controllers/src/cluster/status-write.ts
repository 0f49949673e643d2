import {
  isConflict,
  isNotFound,
  type Kind,
  type KubeObject,
  type KubeWriter,
  keyOf,
} from '@karpenter/kube/client';

/**
 * Patches fields of the status, guarded by the resource version of `object`. Returns the stored object, or
 * undefined when the object was changed or deleted since it was read; the watch event of that change triggers
 * a reconcile, so callers just return. Other errors are thrown.
 *
 * A merge patch replaces lists as a whole: pass all conditions, not only those that changed.
 */
export async function writeStatus<T extends KubeObject>(
  client: Pick<KubeWriter, 'patch'>,
  kind: Kind<T>,
  object: T,
  status: object,
): Promise<T | undefined> {
  const body = { metadata: { resourceVersion: object.metadata?.resourceVersion }, status };
  return unlessChanged(client.patch(kind, keyOf(object), { type: 'merge', body }, { subresource: 'status' }));
}

/** Like `writeStatus`, for metadata and spec: labels, annotations, finalizers, taints. */
export async function writeObject<T extends KubeObject>(
  client: Pick<KubeWriter, 'patch'>,
  kind: Kind<T>,
  object: T,
  { metadata, ...rest }: { readonly metadata?: object; readonly spec?: object },
): Promise<T | undefined> {
  const body = { metadata: { ...metadata, resourceVersion: object.metadata?.resourceVersion }, ...rest };
  return unlessChanged(client.patch(kind, keyOf(object), { type: 'merge', body }));
}

/** Turns conflict and not-found errors into undefined. */
async function unlessChanged<T>(written: Promise<T>): Promise<T | undefined> {
  try {
    return await written;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined;
    throw error;
  }
}
