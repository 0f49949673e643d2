import type { Kind, KubeObject, ListOptions } from '@karpenter/kube/client';
import type { ConnectedCluster } from './connection.ts';
import { readError } from './read-error.ts';

const pageSize = 500;

/** Lists page by page, so that the objects of a large cluster are never all in memory. */
export async function* objectsOf<T extends KubeObject>(
  { client, server }: ConnectedCluster,
  kind: Kind<T>,
  selection: Pick<ListOptions, 'fieldSelector'> = {},
): AsyncGenerator<T> {
  let next: string | undefined;
  do {
    const position = next === undefined ? {} : { continue: next };
    const page = await client
      .list(kind, { ...selection, limit: pageSize, ...position })
      .catch((error: unknown) => {
        throw readError(error, { kind, verb: 'list', server });
      });
    yield* page.items;
    next = page.continue;
  } while (next !== undefined);
}
