import { equalJson, type JsonObject } from '@karpenter/core/schema';
import type { Entry } from '../store/index.ts';
import { withOwnership } from './field-ownership.ts';
import { inOrder } from './object-meta.ts';
import { isReleased, presentEntry } from './update.ts';
import type { WriteRequest } from './write-request.ts';
import type { WriteServer } from './write-server.ts';

/**
 * A change that the server itself makes, as a subresource or a controller of its own: neither admission nor
 * the rules for clients apply, but the field manager is told.
 */
export function updateDirectly(
  server: Pick<WriteServer, 'store' | 'admission'>,
  request: WriteRequest,
  subresource: string,
  change: (object: JsonObject) => JsonObject,
): Entry {
  const { store } = server;
  const entry = presentEntry(server, request);
  const changed = change(entry.object);
  if (equalJson(changed, entry.object)) return entry;
  const owned = inOrder(request, withOwnership(request, entry.object, changed, subresource));
  if (request.dryRun) return entry;
  return isReleased(owned) ? store.remove(entry, owned) : store.put(entry.collection, owned);
}
