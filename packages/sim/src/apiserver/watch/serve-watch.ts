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
import { errorFrame, eventFor, type ServedWatchEvent, tooOldToWatch } from './watch-event.ts';
import type { WatchHub } from './watch-hub.ts';
import { Watcher } from './watcher.ts';

const bookmarkEveryMs = 60_000;
// kube-apiserver's minimum. The actual duration is up to twice as long at random, so that clients do not all
// reconnect at once.
const minWatchMs = 1_800_000;

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

/**
 * Starts a watch and returns. The response stays open until the client disconnects, the timeout passes or the
 * server stops. Throws for an invalid query, before anything is written.
 */
export function serveWatch(server: WatchServer, request: WatchRequest): void {
  const { store, hub, clock } = server;
  const { response, presentation, selection, query } = request;
  const start = watchStart(store, query);
  const durationOfWatch = watchDuration(query);
  const collection = collectionOf(presentation.kind);
  // Only durable changes: a rollback may still undo the others. The hub delivers them once they are flushed.
  const revision = store.durableRevision;
  response.writeHead(200, { 'cache-control': 'no-cache, private', 'content-type': 'application/json' });
  // kube-apiserver reports a revision that is too old as an ERROR event with 410 in a 200 response;
  // reflectors rely on it to list again.
  if (start.tooOld !== undefined) {
    response.end(errorFrame(start.tooOld));
    return;
  }
  const watcher = new Watcher({ response, presentation, selection, revision, clock });
  if (start.after === undefined) watcher.begin(store.listAt(collection, revision));
  else watcher.push(missedEvents(store, { collection, selection, after: start.after }));
  if (isTrue(query.get('sendInitialEvents')) && isTrue(query.get('allowWatchBookmarks'))) {
    watcher.push([{ type: 'BOOKMARK', revision, isEndOfInitialEvents: true }]);
  }
  // Sends the headers now: clients wait for them even when there are no events.
  response.write('');
  // No await since durableRevision was read: a change in between would be lost.
  const unsubscribe = hub.add(collection, watcher);
  response.on('close', unsubscribe);
  keepAlive(server, request, watcher, durationOfWatch).catch((error: unknown) => watcher.fail(error));
}

interface WatchStart {
  /** Send events after this revision; undefined to send all current objects as ADDED first. */
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

interface MissedEventsOptions {
  readonly collection: string;
  readonly selection: Selection;
  readonly after: number;
}

function missedEvents(
  store: Store,
  { collection, selection, after }: MissedEventsOptions,
): readonly ServedWatchEvent[] {
  return store
    .changesSince(after)
    .filter(({ entry }) => entry.collection === collection)
    .flatMap((change) => eventFor(change, selection) ?? []);
}

/**
 * Sends a bookmark every minute, so that an idle client knows a recent revision to resume from, and ends the
 * watch when its time is up.
 */
async function keepAlive(
  { store, clock }: WatchServer,
  request: WatchRequest,
  watcher: Watcher,
  durationOfWatch: number,
): Promise<void> {
  const { response, query } = request;
  const disconnected = new AbortController();
  response.on('close', () => disconnected.abort());
  const end = clock.now() + durationOfWatch;
  while (!disconnected.signal.aborted) {
    const remaining = end - clock.now();
    if (remaining <= 0) return watcher.close();
    await clock.sleep(durationMs(Math.min(remaining, bookmarkEveryMs)), disconnected.signal);
    if (disconnected.signal.aborted || !isTrue(query.get('allowWatchBookmarks'))) continue;
    watcher.push([{ type: 'BOOKMARK', revision: store.durableRevision, isEndOfInitialEvents: false }]);
  }
}

function watchDuration(query: URLSearchParams): number {
  const seconds = queryNumber(query, 'timeoutSeconds');
  return seconds > 0 ? seconds * 1000 : minWatchMs * (1 + Math.random());
}
