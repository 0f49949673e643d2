import type { ViewedKind } from '@karpenter/core/cluster-view';
import { isForbidden, isNotFound, type Kind } from '@karpenter/kube/client';
import type { ConnectedCluster } from './connection.ts';
import { readError } from './read-error.ts';
import { requiredKinds, viewedKinds } from './viewed-kinds.ts';

/** Which kinds can be read, and notes about those that exist and may not be read. */
export interface ServedKinds {
  readonly kinds: ReadonlySet<ViewedKind>;
  readonly notes: readonly string[];
}

/**
 * Reads one object of each kind before anything else, so that a cluster that cannot be reached or read ends the
 * command with one sentence. A missing NodePool or NodeClaim CRD is nothing to report: any cluster can be viewed.
 */
export async function servedKinds({ client, server }: ConnectedCluster): Promise<ServedKinds> {
  const found = new Set<ViewedKind>();
  const notes: string[] = [];
  for (const name of Object.keys(viewedKinds) as ViewedKind[]) {
    const kind: Kind = viewedKinds[name];
    try {
      if (!requiredKinds.has(name) && !(await isServed({ client, server }, kind))) continue;
      await client.list(kind, { limit: 1 });
      found.add(name);
    } catch (error) {
      const failure = readError(error, { kind, verb: 'list', server });
      if (requiredKinds.has(name) || !isForbidden(error)) throw failure;
      notes.push(failure instanceof Error ? failure.message : String(failure));
    }
  }
  return { kinds: found, notes };
}

/**
 * Asks discovery, which every user may read: without rights on a kind the server answers 403 whether or not
 * the kind exists.
 */
export async function isServed(
  { client }: ConnectedCluster,
  { group, version, plural }: Kind,
): Promise<boolean> {
  try {
    const answer = await client.request('GET', `/apis/${group}/${version}`);
    return JSON.stringify(answer).includes(`"${plural}"`);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
