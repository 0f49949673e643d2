import type { JsonObject } from '@karpenter/core/schema';
import type { ServedKind } from '../kinds/served-kind.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import type { Selection } from '../selection/index.ts';
import { StatusError } from '../status/status-error.ts';
import { type Change, Entry } from '../store/index.ts';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly entry: Entry;
}

/**
 * What a change means to someone who sees only a part: an object that comes into sight is added, one that
 * leaves is deleted, in the state it was last seen in.
 */
export function eventFor(
  { type, entry, previous, revision }: Change,
  selection: Selection,
): WatchEvent | undefined {
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

export function bookmarkFrame(kind: ServedKind, revision: number, isEndOfInitialEvents: boolean): string {
  const annotations: JsonObject = isEndOfInitialEvents
    ? { annotations: { 'k8s.io/initial-events-end': 'true' } }
    : {};
  return eventFrame(
    'BOOKMARK',
    JSON.stringify({
      kind: kind.kind,
      apiVersion: apiVersionOf(kind),
      metadata: { resourceVersion: String(revision), creationTimestamp: null, ...annotations },
    }),
  );
}

export function errorFrame(error: StatusError): string {
  return eventFrame('ERROR', JSON.stringify(error.toStatus()));
}

export function tooOldToWatch(wanted: number, oldest: number): StatusError {
  return new StatusError(410, 'Expired', `too old resource version: ${wanted} (${oldest})`);
}
