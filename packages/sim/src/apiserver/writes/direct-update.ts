import { equalJson, type JsonObject } from '@karpenter/core/schema';
import { trackManagedFields } from '../apply/index.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import type { Entry } from '../store/index.ts';
import { inOrder, timestamp, withMetadata } from './object-meta.ts';
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
  const managedFields = trackManagedFields({
    before: entry.object,
    after: changed,
    manager: request.manager,
    operation: 'Update',
    apiVersion: apiVersionOf(request.kind),
    subresource,
    time: timestamp(request.nowMs),
    schema: request.kind.schema,
  });
  const owned = inOrder(request, withMetadata(changed, { managedFields: [...managedFields] }));
  if (request.dryRun) return entry;
  return isReleased(owned) ? store.remove(entry, owned) : store.put(entry.collection, owned);
}
