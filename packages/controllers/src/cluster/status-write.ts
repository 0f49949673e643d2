import {
  isConflict,
  isNotFound,
  type Kind,
  type KubeObject,
  type KubeWriter,
  keyOf,
} from '@karpenter/kube/client';

/**
 * Writes fields of the status, unless somebody has changed the object since it was read: then nothing is written, and
 * the change brings the object back. Returns what was stored.
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

/** As `writeStatus`, for labels, annotations, finalizers and the rest of the object. */
export async function writeObject<T extends KubeObject>(
  client: Pick<KubeWriter, 'patch'>,
  kind: Kind<T>,
  object: T,
  { metadata, ...rest }: { readonly metadata?: object; readonly spec?: object },
): Promise<T | undefined> {
  const body = { metadata: { ...metadata, resourceVersion: object.metadata?.resourceVersion }, ...rest };
  return unlessChanged(client.patch(kind, keyOf(object), { type: 'merge', body }));
}

/** An object that was changed or deleted meanwhile will be looked at again, or needs nothing more. */
async function unlessChanged<T>(written: Promise<T>): Promise<T | undefined> {
  try {
    return await written;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined;
    throw error;
  }
}
