import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { applyMergePatch, applyStrategicMergePatch, jsonPatchInSteps } from '../patch/index.ts';
import type { StatusError } from '../status/status-error.ts';
import { badRequest, invalid, unsupportedMediaType, unsupportedPatchType } from '../status/status-errors.ts';
import { create } from './create.ts';
import { applyOwned } from './field-ownership.ts';
import { textField, withMetadata } from './object-meta.ts';
import { requireStorableBody } from './object-size.ts';
import { update } from './update.ts';
import { collectionFor, type WriteRequest, type WriteResult } from './write-request.ts';
import type { WriteServer } from './write-server.ts';

export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export interface PatchBody {
  readonly contentType: string;
  readonly patch: Json;
  /** For apply: take over fields that other managers own. */
  readonly force: boolean;
}

/**
 * Applies a patch of any type. A conflict with a concurrent write is retried on the new object, as
 * kube-apiserver does, unless the patch sets a resourceVersion.
 */
export async function patchObject(
  server: WriteServer,
  request: WriteRequest,
  body: PatchBody,
): Promise<WriteResult> {
  if (body.contentType === patchTypes.apply) return applyObject(server, request, body);
  const change = patchFunction(server, request, body);
  return update(server, request, {
    isRepeatable: true,
    undecodable,
    propose: async (current) => ({ object: requireObject(await change(current)) }),
  });
}

function patchFunction(
  { work }: WriteServer,
  { kind }: WriteRequest,
  { contentType, patch }: PatchBody,
): (current: JsonObject) => Json | Promise<Json> {
  switch (contentType) {
    case patchTypes.json:
      return (current) => work.runSteps(jsonPatchInSteps(current, operationsOf(patch)));
    case patchTypes.merge:
      return (current) => applyMergePatch(current, patch);
    case patchTypes.strategic:
      if (kind.isCustom) throw unsupportedMediaType([patchTypes.json, patchTypes.merge, patchTypes.apply]);
      return (current) => applyStrategicMergePatch(current, requireObject(patch), kind.schema);
  }
  throw unsupportedPatchType();
}

/** kube-apiserver reports a result that does not decode as an invalid value of the field `patch`. */
function undecodable({ message }: StatusError, proposed: JsonObject): StatusError {
  const detail = message.replace(/^.* cannot be handled as an? [^:]*: /, '');
  const value = JSON.stringify(withMetadata(proposed, { managedFields: undefined }));
  return invalid({ group: '', kind: '', name: '' }, [{ type: 'Invalid', field: 'patch', value, detail }]);
}

function operationsOf(patch: Json): readonly Json[] {
  if (isJsonArray(patch)) return patch;
  throw badRequest(
    'error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
  );
}

function requireObject(value: Json): JsonObject {
  if (isJsonObject(value)) return value;
  throw badRequest('the patch does not lead to an object');
}

async function applyObject(
  server: WriteServer,
  request: WriteRequest,
  body: PatchBody,
): Promise<WriteResult> {
  if (request.manager === '') {
    throw invalid({ group: 'meta.k8s.io', kind: 'PatchOptions', name: '' }, [
      { type: 'Required', field: 'fieldManager', detail: 'is required for apply patch' },
    ]);
  }
  const applied = await server.work.run(() => applyBody(request, body.patch));
  const namespace = request.kind.namespaced ? request.namespace : '';
  if (
    server.store.get(collectionFor(request), namespace, request.name) === undefined &&
    request.subresource === ''
  ) {
    const owned = await server.work.runSteps(applyOwned(request, undefined, { applied, force: body.force }));
    return create(server, request, owned, { isApply: true });
  }
  return update(server, request, {
    isRepeatable: true,
    propose: async (current) => ({
      object: await server.work.runSteps(applyOwned(request, current, { applied, force: body.force })),
      hasManagedFields: true,
    }),
  });
}

/** Sets the name from the URL. The apply itself checks the kind. */
function applyBody(request: WriteRequest, patch: Json): JsonObject {
  const object = requireObject(patch);
  requireStorableBody(object);
  const name = textField(object, 'name');
  if (name !== '' && name !== request.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`);
  }
  return withMetadata(object, { name: request.name });
}
