import { durationMs } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import { queryNumber } from '../http/query-number.ts';
import type { Outgoing } from '../http/reply.ts';
import { isTrue } from '../http/request-info.ts';
import type { Presentation } from '../reads/presentation.ts';
import { parseResourceVersion, tooLarge } from '../reads/resource-version.ts';
import { collectionOf } from '../registry/kind-registry.ts';
import type { Selection } from '../selection/index.ts';
import { StatusError } from '../status/status-error.ts';
import type { Store } from '../store/index.ts';
import { errorFrame, eventFor, tooOldToWatch, type WatchEvent } from './watch-event.ts';
import type { WatchHub } from './watch-hub.ts';
import { Watcher } from './watcher.ts';

const bookmarkEveryMs = 60_000;
const shortestWatchMs = 1_800_000;

export interface WatchRequest {
  readonly response: Outgoing;
  readonly presentation: Presentation;
  readonly selection: Selection;
  readonly query: URLSearchParams;
}

export interface WatchServer {
  readonly store: Store;
  readonly hub: WatchHub;
  readonly clock: Clock;
}

/** Starts a watch and returns; the reply goes on until the client leaves, its time is up or the server stops. */
export function serveWatch(server: WatchServer, request: WatchRequest): void {
  const { store, hub, clock } = server;
  const { response, presentation, selection, query } = request;
  const start = watchStart(store, query);
  const lasts = watchTime(query);
  const collection = collectionOf(presentation.kind);
  // What is not durable yet is announced later, like every change after this.
  const revision = store.durableRevision;
  const events = start.tooOld === undefined ? openingEvents(store, collection, selection, start.after) : [];
  response.writeHead(200, { 'cache-control': 'no-cache, private', 'content-type': 'application/json' });
  if (start.tooOld !== undefined) {
    response.end(errorFrame(start.tooOld));
    return;
  }
  const watcher = new Watcher({ response, presentation, selection, revision, clock });
  watcher.push(events);
  if (isTrue(query.get('sendInitialEvents')) && isTrue(query.get('allowWatchBookmarks'))) {
    watcher.push([{ type: 'BOOKMARK', revision, isEndOfInitialEvents: true }]);
  }
  // Clients wait for the headers, events or none.
  response.write('');
  const leave = hub.add(collection, watcher);
  response.on('close', leave);
  keepAlive(server, request, watcher, lasts).catch((error: unknown) => watcher.fail(error));
}

interface WatchStart {
  /** Events after this revision; undefined for all objects as they are, then events. */
  readonly after: number | undefined;
  readonly tooOld?: StatusError;
}

function watchStart(store: Store, query: URLSearchParams): WatchStart {
  checkInitialEvents(query);
  const wanted = parseResourceVersion(query.get('resourceVersion'));
  if (wanted === undefined || wanted === 0) return { after: undefined };
  if (wanted > store.revision) throw tooLarge(wanted, store.revision);
  if (isTrue(query.get('sendInitialEvents'))) return { after: undefined };
  if (wanted < store.oldestRevision) {
    return { after: wanted, tooOld: tooOldToWatch(wanted, store.oldestRevision) };
  }
  return { after: wanted };
}

function checkInitialEvents(query: URLSearchParams): void {
  if (query.get('sendInitialEvents') === null) return;
  if (query.get('resourceVersionMatch') === 'NotOlderThan') return;
  throw new StatusError(
    422,
    'Invalid',
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting ' +
      'resourceVersionMatch to NotOlderThan',
    {
      group: 'meta.k8s.io',
      kind: 'ListOptions',
      causes: [
        {
          reason: 'FieldValueForbidden',
          field: 'resourceVersionMatch',
          message: 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
        },
      ],
    },
  );
}

function openingEvents(
  store: Store,
  collection: string,
  selection: Selection,
  after: number | undefined,
): readonly WatchEvent[] {
  if (after === undefined) {
    return store
      .listAt(collection, store.durableRevision)
      .filter(selection.matches)
      .map((entry) => ({ type: 'ADDED', entry }));
  }
  return store
    .changesSince(after)
    .filter(({ entry }) => entry.collection === collection)
    .flatMap((change) => eventFor(change, selection) ?? []);
}

/** Bookmarks while nothing happens, and an end in time: a watch is not for ever. */
async function keepAlive(
  { store, clock }: WatchServer,
  request: WatchRequest,
  watcher: Watcher,
  lasts: number,
): Promise<void> {
  const { response, query } = request;
  const left = new AbortController();
  response.on('close', () => left.abort());
  const end = clock.now() + lasts;
  while (!left.signal.aborted) {
    const rest = end - clock.now();
    if (rest <= 0) return watcher.close();
    await clock.sleep(durationMs(Math.min(rest, bookmarkEveryMs)), left.signal);
    if (left.signal.aborted || !isTrue(query.get('allowWatchBookmarks'))) continue;
    watcher.push([{ type: 'BOOKMARK', revision: store.durableRevision, isEndOfInitialEvents: false }]);
  }
}

function watchTime(query: URLSearchParams): number {
  const seconds = queryNumber(query, 'timeoutSeconds');
  return seconds > 0 ? seconds * 1000 : shortestWatchMs * (1 + Math.random());
}
