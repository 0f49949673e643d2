import type { JsonObject } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { type FieldSet, fieldSetOf, serverSideApply, trackManagedFields } from '../apply/index.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import { timestamp, withMetadata } from './object-meta.ts';
import type { WriteRequest } from './write-request.ts';

const statusFields = fieldSetOf(['f:status']);
const desiredFields = fieldSetOf(['f:spec']);

/**
 * Fields that this endpoint ignores and a writer therefore cannot own: status on the main resource, spec on
 * the status subresource.
 */
function resetFields({ kind, subresource }: WriteRequest): FieldSet | undefined {
  if (!kind.subresources.some(({ name }) => name === 'status')) return undefined;
  return subresource === 'status' ? desiredFields : statusFields;
}

function ownershipInput(request: WriteRequest, subresource: string) {
  const { kind, manager, nowMs } = request;
  return {
    manager,
    apiVersion: apiVersionOf(kind),
    subresource: subresource === '' ? undefined : subresource,
    time: timestamp(nowMs),
    schema: kind.schema,
    isCustom: kind.isCustom,
    resetFields: resetFields(request),
  };
}

interface OwnershipChange {
  /** Undefined on create. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
  /** Defaults to the one of the request. */
  readonly subresource?: string;
}

/** The object with updated managedFields. */
export function* withOwnership(
  request: WriteRequest,
  { before, after, subresource = request.subresource }: OwnershipChange,
): Steps<JsonObject> {
  const managedFields = yield* trackManagedFields({ ...ownershipInput(request, subresource), before, after });
  return withMetadata(after, { managedFields: managedFields.length > 0 ? managedFields : undefined });
}

/**
 * Server-side apply: merges the applied configuration into the live object and updates managedFields. Throws
 * 409 for a field that another manager owns, unless forced.
 */
export function* applyOwned(
  request: WriteRequest,
  live: JsonObject | undefined,
  { applied, force }: { readonly applied: JsonObject; readonly force: boolean },
): Steps<JsonObject> {
  const input = ownershipInput(request, request.subresource);
  const { object, managedFields } = yield* serverSideApply({
    ...input,
    kind: request.kind.kind,
    live,
    applied,
    force,
  });
  return withMetadata(object, { managedFields });
}
