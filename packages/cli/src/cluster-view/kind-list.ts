import type { KindList } from '@karpenter/kube/cache';
import { isForbidden, isNotFound, type Kind, type KubeObject } from '@karpenter/kube/client';
import type { ConnectedCluster } from './connection.ts';
import { objectsOf } from './object-pages.ts';
import { isServed } from './served-kinds.ts';

/**
 * All objects of a kind; empty if the kind is not installed. Throws `missing-permission` if they may not be listed.
 */
export async function listKind(connection: ConnectedCluster, kind: Kind): Promise<KindList> {
  try {
    const objects: KubeObject[] = [];
    for await (const object of objectsOf(connection, kind)) objects.push(object);
    return { kind, objects };
  } catch (error) {
    if (isNotFound(error) || (await isAbsent(connection, kind, error))) return { kind, objects: [] };
    throw error;
  }
}

/** Whoever has no rights on a kind is refused whether or not it is installed; discovery knows. */
async function isAbsent(connection: ConnectedCluster, kind: Kind, error: unknown): Promise<boolean> {
  const cause = error instanceof Error ? error.cause : undefined;
  return isForbidden(cause) && kind.group !== '' && !(await isServed(connection, kind));
}
