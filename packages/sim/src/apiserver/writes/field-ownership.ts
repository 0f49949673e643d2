import type { JsonObject } from '@karpenter/core/schema';
import { type FieldSet, fieldSetOf, serverSideApply, trackManagedFields } from '../apply/index.ts';
import { apiVersionOf } from '../registry/kind-registry.ts';
import { timestamp, withMetadata } from './object-meta.ts';
import type { WriteRequest } from './write-request.ts';

const statusFields = fieldSetOf(['f:status']);
const desiredFields = fieldSetOf(['f:spec']);

/** What this way of writing cannot change, and so cannot own. */
function resetFields({ kind, subresource }: WriteRequest): FieldSet | undefined {
  if (!kind.subresources.some(({ name }) => name === 'status')) return undefined;
  return subresource === 'status' ? desiredFields : statusFields;
}

function writeFacts(request: WriteRequest, subresource: string) {
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

/** The object with managed fields that say who set what; `before` is absent on create. */
export function withOwnership(
  request: WriteRequest,
  before: JsonObject | undefined,
  after: JsonObject,
  subresource: string = request.subresource,
): JsonObject {
  const managedFields = trackManagedFields({ ...writeFacts(request, subresource), before, after });
  return withMetadata(after, { managedFields: managedFields.length > 0 ? managedFields : undefined });
}

/** What a manager wants laid over what is there, with managed fields; throws the 409 of a contested field. */
export function applyOwned(
  request: WriteRequest,
  live: JsonObject | undefined,
  applied: JsonObject,
  force: boolean,
): JsonObject {
  const facts = writeFacts(request, request.subresource);
  const { object, managedFields } = serverSideApply({
    ...facts,
    kind: request.kind.kind,
    live,
    applied,
    force,
  });
  return withMetadata(object, { managedFields });
}
