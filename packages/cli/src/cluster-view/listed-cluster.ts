import { keepingReasons, type PriceOf } from '@karpenter/core/cluster-view';
import { isForbidden, type Kind, type KubeObject, type ListOptions } from '@karpenter/kube/client';
import type { ConnectedCluster } from './connection.ts';
import { readError } from './read-error.ts';
import { servedKinds } from './served-kinds.ts';
import { emptyViewedCluster, type ViewedCluster, viewEvent } from './viewed-cluster.ts';
import { keepingEvents, viewedKinds } from './viewed-kinds.ts';

export interface ListingOptions {
  readonly priceOf: PriceOf;
  /** Whether to read events too, for the reasons why nodes are kept. */
  readonly withEvents?: boolean;
  readonly note: (text: string) => void;
}

const pageSize = 500;

/** The cluster as it is now, read once. */
export async function listedCluster(
  connection: ConnectedCluster,
  { priceOf, withEvents = false, note }: ListingOptions,
): Promise<ViewedCluster> {
  const cluster = emptyViewedCluster(priceOf);
  const { kinds, notes } = await servedKinds(connection);
  for (const text of notes) note(text);
  for (const kind of kinds)
    for await (const object of objectsOf<KubeObject>(connection, viewedKinds[kind]))
      cluster.view.apply(viewEvent('applied', kind, object));
  if (withEvents) await listEvents(connection, cluster, note);
  return cluster;
}

/** Reasons are worth less than the rest: whoever may not read events still sees everything else. */
async function listEvents(
  connection: ConnectedCluster,
  { events }: ViewedCluster,
  note: ListingOptions['note'],
): Promise<void> {
  try {
    for (const reason of keepingReasons) {
      const selection = { fieldSelector: `reason=${reason}` };
      for await (const event of objectsOf(connection, keepingEvents, selection)) events.apply(event);
    }
  } catch (error) {
    if (!(error instanceof Error) || !isForbidden(error.cause)) throw error;
    note(error.message);
  }
}

/** Page by page, so that the objects of a large cluster are never all in memory. */
async function* objectsOf<T extends KubeObject>(
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
