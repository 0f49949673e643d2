import { equalJson, type JsonObject } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import type { Entry } from '../store/index.ts';
import { withOwnership } from './field-ownership.ts';
import { inOrder } from './object-meta.ts';
import { isReleased, presentEntry } from './update.ts';
import type { WriteRequest } from './write-request.ts';
import type { WriteServer } from './write-server.ts';

/**
 * A change that the server makes itself, for a subresource or in a controller: without admission and without
 * the validation for clients, but recorded in managed fields.
 *
 * It is synchronous, so no other write can come between read and write. The caller awaits `store.durable()`.
 */
export function updateDirectly(
  server: Pick<WriteServer, 'store'>,
  request: WriteRequest,
  subresource: string,
  change: (object: JsonObject) => JsonObject,
): Entry {
  const { store } = server;
  const entry = presentEntry(server, request);
  const changed = change(entry.object);
  if (equalJson(changed, entry.object)) return entry;
  const owned = inOrder(
    request,
    runAtOnce(withOwnership(request, { before: entry.object, after: changed, subresource })),
  );
  if (request.dryRun) return entry;
  return isReleased(owned) ? store.remove(entry, owned) : store.put(entry.collection, owned);
}
