import { stateSources } from '@karpenter/controllers/cluster';
import { stateKinds } from '@karpenter/core/state';
import { type KindList, ListedCaches } from '@karpenter/kube/cache';
import { isNotFound, type Kind } from '@karpenter/kube/client';
import { type ConnectedCluster, readError } from '../cluster-view/index.ts';

/** All objects that the controllers decide on, read once. Kinds that are not installed are empty. */
export async function clusterCaches(connection: ConnectedCluster): Promise<ListedCaches> {
  const lists: KindList[] = [];
  for (const name of stateKinds) lists.push(await listOf(connection, stateSources[name]));
  return new ListedCaches(lists);
}

async function listOf({ client, server }: ConnectedCluster, kind: Kind): Promise<KindList> {
  try {
    const { items } = await client.list(kind);
    return { kind, objects: items };
  } catch (error) {
    if (isNotFound(error)) return { kind, objects: [] };
    throw readError(error, { kind, verb: 'list', server });
  }
}
