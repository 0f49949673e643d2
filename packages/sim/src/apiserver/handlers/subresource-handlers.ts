import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import type { TokenSigner } from '../auth/index.ts';
import { decodeApplyPatch, decodePatch } from '../decoding/index.ts';
import { readBody } from '../http/body.ts';
import { parseMediaType } from '../http/negotiation.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { ScalePaths } from '../kinds/served-kind.ts';
import { applyJsonPatch, applyMergePatch } from '../patch/index.ts';
import { StatusError } from '../status/status-error.ts';
import { badRequest, methodNotAllowed, unknownPath, unsupportedMediaType } from '../status/status-errors.ts';
import { bind } from '../subresources/binding.ts';
import { evict } from '../subresources/eviction.ts';
import { scaleOf, withScale } from '../subresources/scale.ts';
import { issueToken } from '../subresources/service-account-token.ts';
import { updateDirectly } from '../writes/direct-update.ts';
import { patchTypes } from '../writes/patch.ts';
import { presentEntry, update } from '../writes/update.ts';
import { shownIn } from '../writes/write-request.ts';
import { objectBody, writeRequest } from './write-handlers.ts';

/**
 * Serves all subresources except `status`, which the object handlers serve. Unknown ones are a 404; those
 * that need a running container (exec, log, portforward) are a 501.
 */
export async function serveSubresource(
  parts: ApiServerParts,
  signer: TokenSigner,
  call: ResourceCall,
): Promise<Reply> {
  const { info, kind } = call;
  switch (`${kind.group}/${kind.plural}/${info.subresource}`) {
    case '/pods/eviction':
      return created(call, async () =>
        evict(parts, writeRequest(parts, call), await objectBody(parts, call)),
      );
    case '/pods/binding':
      return created(call, async () => bind(parts, writeRequest(parts, call), await objectBody(parts, call)));
    case '/serviceaccounts/token':
      return created(call, async () =>
        issueToken(parts, signer, writeRequest(parts, call), await objectBody(parts, call)),
      );
    case '/namespaces/finalize':
      return finalizeNamespace(parts, call);
  }
  if (info.subresource === 'scale' && kind.scale !== undefined) return serveScale(parts, call, kind.scale);
  if (kind.subresources.some(({ name }) => name === info.subresource)) {
    // Throws 404 first if the object does not exist.
    presentEntry(parts, writeRequest(parts, call));
    throw new StatusError(
      501,
      'InternalError',
      `the embedded cluster does not run containers: ${kind.plural}/${info.subresource} is not available`,
    );
  }
  throw unknownPath();
}

async function created({ info }: ResourceCall, make: () => Promise<JsonObject>): Promise<Reply> {
  if (info.verb !== 'create') throw methodNotAllowed();
  return jsonReply(201, await make());
}

async function finalizeNamespace(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  if (call.info.verb !== 'update') throw methodNotAllowed();
  const body = await objectBody(parts, call);
  const entry = updateDirectly(parts, writeRequest(parts, call), 'finalize', (object) => ({
    ...object,
    spec: body['spec'] ?? {},
  }));
  await parts.store.durable();
  return jsonReply(200, entry.object);
}

async function serveScale(parts: ApiServerParts, call: ResourceCall, paths: ScalePaths): Promise<Reply> {
  const { info, kind } = call;
  const request = writeRequest(parts, call);
  if (info.verb === 'get') {
    const { object } = await shownIn(request, presentEntry(parts, request));
    return jsonReply(200, scaleOf(kind, paths, object));
  }
  if (info.verb !== 'update' && info.verb !== 'patch') throw methodNotAllowed();
  const change = info.verb === 'update' ? await replacement(parts, call) : await scalePatch(parts, call);
  const result = await update(parts, request, {
    // The change is computed from the current object, so a conflict with another writer is retried.
    isRepeatable: true,
    propose: (current) => ({
      object: withScale(kind, paths, { object: current, scale: change(scaleOf(kind, paths, current)) }),
    }),
  });
  return jsonReply(200, scaleOf(kind, paths, result.shown.object));
}

type ScaleChange = (scale: JsonObject) => JsonObject;

async function replacement(parts: ApiServerParts, call: ResourceCall): Promise<ScaleChange> {
  const body = await objectBody(parts, call);
  return () => body;
}

async function scalePatch({ work }: ApiServerParts, { request }: ResourceCall): Promise<ScaleChange> {
  const { type } = parseMediaType(request.headers['content-type'] ?? '');
  const bytes = await readBody(request);
  switch (type) {
    case patchTypes.json: {
      const { patch } = await work.runSteps(decodePatch(bytes));
      return (scale) => objectOf(applyJsonPatch(scale, patch));
    }
    case patchTypes.merge:
    case patchTypes.strategic: {
      const { patch } = await work.runSteps(decodePatch(bytes));
      return (scale) => objectOf(applyMergePatch(scale, patch));
    }
    case patchTypes.apply: {
      const { object } = await work.runSteps(decodeApplyPatch(bytes));
      return (scale) => objectOf(applyMergePatch(scale, object));
    }
    default:
      throw unsupportedMediaType(Object.values(patchTypes));
  }
}

function objectOf(value: Json): JsonObject {
  if (isJsonObject(value)) return value;
  throw badRequest('the patch does not lead to a Scale');
}
