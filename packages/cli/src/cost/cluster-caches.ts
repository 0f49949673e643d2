import { stateSources } from '@karpenter/controllers/cluster';
import { stateKinds } from '@karpenter/core/state';
import { type KindList, ListedCaches } from '@karpenter/kube/cache';
import { type ConnectedCluster, listKind } from '../cluster-view/index.ts';

/** All objects that the controllers decide on, read once. Kinds that are not installed are empty. */
export async function clusterCaches(connection: ConnectedCluster): Promise<ListedCaches> {
  const lists: KindList[] = [];
  for (const name of stateKinds) lists.push(await listKind(connection, stateSources[name]));
  return new ListedCaches(lists);
}
