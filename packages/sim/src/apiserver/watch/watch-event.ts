import type { JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import type { Shown } from '../reads/presentation.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import type { Selection } from '../selection/index.ts';
import { StatusError } from '../status/status-error.ts';
import { type Change, Entry } from '../store/index.ts';

export interface ObjectEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly entry: Entry;
}

/** Up to which revision the client has seen everything. */
export interface Bookmark {
  readonly type: 'BOOKMARK';
  readonly revision: number;
  readonly isEndOfInitialEvents: boolean;
}

export type WatchEvent = ObjectEvent | Bookmark;

/**
 * What a change means to someone who sees only a part: an object that comes into sight is added, one that
 * leaves is deleted, in the state it was last seen in.
 */
export function eventFor(
  { type, entry, previous, revision }: Change,
  selection: Selection,
): ObjectEvent | undefined {
  const seenBefore = previous !== undefined && selection.matches(previous);
  const seenNow = type !== 'DELETED' && selection.matches(entry);
  if (seenNow) return { type: seenBefore ? 'MODIFIED' : 'ADDED', entry };
  if (!seenBefore) return undefined;
  return {
    type: 'DELETED',
    entry: type === 'DELETED' ? entry : new Entry(previous.collection, previous.object, revision),
  };
}

/** One line of a watch reply. */
export function eventFrame(type: string, json: string): string {
  return `{"type":"${type}","object":${json}}\n`;
}

/** A bookmark is shown like an object of the kind that has nothing but a version. */
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
