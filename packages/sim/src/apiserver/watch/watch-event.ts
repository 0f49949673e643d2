import type { JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { Shown } from '../reads/presentation.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import type { Selection } from '../selection/index.ts';
import { StatusError } from '../status/status-error.ts';
import { Entry, type StoreChange } from '../store/index.ts';

interface ServedObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly entry: Entry;
}

/** Tells the client that it has seen all changes up to this revision. */
export interface Bookmark {
  readonly type: 'BOOKMARK';
  readonly revision: number;
  readonly isEndOfInitialEvents: boolean;
}

export type ServedWatchEvent = ServedObjectEvent | Bookmark;

/**
 * The event for a watch with a selector. An object that starts to match is ADDED and one that stops matching
 * is DELETED with its last matching state, but at the revision of the change, so that a client resumes after
 * it.
 */
export function eventFor(
  { type, entry, previous, revision }: StoreChange,
  selection: Selection,
): ServedObjectEvent | undefined {
  const seenBefore = previous !== undefined && selection.matches(previous);
  const seenNow = type !== 'DELETED' && selection.matches(entry);
  if (seenNow) return { type: seenBefore ? 'MODIFIED' : 'ADDED', entry };
  if (!seenBefore) return undefined;
  return {
    type: 'DELETED',
    entry: type === 'DELETED' ? entry : new Entry(previous.collection, previous.object, revision),
  };
}

/** One line of a watch response. */
export function eventFrame(type: string, json: string): string {
  return `{"type":"${type}","object":${json}}\n`;
}

/** A bookmark is an object of the watched kind with nothing but a resource version. */
export function bookmarkObject(kind: ServedKind, { revision, isEndOfInitialEvents }: Bookmark): Shown {
  const annotations: JsonObject = isEndOfInitialEvents
    ? { annotations: { 'k8s.io/initial-events-end': 'true' } }
    : {};
  const object = {
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: { resourceVersion: String(revision), ...annotations },
  };
  return { object, json: JSON.stringify(object) };
}

export function errorFrame(error: StatusError): string {
  return eventFrame('ERROR', JSON.stringify(error.toStatus()));
}

export function tooOldToWatch(wanted: number, oldest: number): StatusError {
  return new StatusError(410, 'Expired', `too old resource version: ${wanted} (${oldest})`);
}
