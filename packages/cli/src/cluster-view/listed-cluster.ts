import { keepingReasons, type PriceOf } from '@karpenter/core/cluster-view';
import { isForbidden, type KubeObject } from '@karpenter/kube/client';
import type { ConnectedCluster } from './connection.ts';
import { objectsOf } from './object-pages.ts';
import { servedKinds } from './served-kinds.ts';
import { emptyViewedCluster, type ViewedCluster, viewEvent } from './viewed-cluster.ts';
import { keepingEvents, viewedKinds } from './viewed-kinds.ts';

export interface ListingOptions {
  readonly priceOf: PriceOf;
  /** Whether to read events too, for the reasons why nodes are kept. */
  readonly withEvents?: boolean;
  readonly note: (text: string) => void;
}

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
