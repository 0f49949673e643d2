import type { JsonObject } from '@karpenter/core/schema';
import type { ApiServerParts, ResourceCall } from '../api-context.ts';
import { decodeApplyPatch, decodePatch } from '../decoding/index.ts';
import { readBody } from '../http/body.ts';
import { parseMediaType } from '../http/negotiation.ts';
import { parseObjectBody } from '../http/parse-body.ts';
import { fieldValidationOf, isDryRun, managerOf } from '../http/query-options.ts';
import type { Reply } from '../http/reply.ts';
import { isTrue } from '../http/request-info.ts';
import { present, showEntries } from '../reads/presentation.ts';
import { apiVersionOf, collectionOf } from '../registry/kind-registry.ts';
import { badRequest } from '../status/status-errors.ts';
import { create } from '../writes/create.ts';
import { deleteObject, deleteUnlessGone } from '../writes/delete.ts';
import { type DeleteRequestOptions, deleteOptions } from '../writes/delete-options.ts';
import { patchObject, patchTypes } from '../writes/patch.ts';
import { presentEntry, update } from '../writes/update.ts';
import { shownIn, type WriteRequest, type WriteResult } from '../writes/write-request.ts';
import { presentationOf, selectionFor } from './read-handlers.ts';

export async function createObject(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  const body = await objectBody(parts, call);
  return reply(parts, call, await create(parts, writeRequest(parts, call), body));
}

export async function replaceObject(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  const body = await objectBody(parts, call);
  const request = writeRequest(parts, call);
  // PUT creates the object for kinds that allow it, such as Lease.
  const isNew = call.kind.allowsCreateOnUpdate && request.subresource === '' && !exists(parts, call);
  const result = isNew
    ? await create(parts, request, body)
    : await update(parts, request, { isRepeatable: false, propose: () => ({ object: body }) });
  return reply(parts, call, result);
}

function exists({ store }: ApiServerParts, { kind, info }: ResourceCall): boolean {
  return store.get(collectionOf(kind), kind.namespaced ? info.namespace : '', info.name) !== undefined;
}

export async function patchByType(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  const { query } = call.info;
  const { type } = parseMediaType(call.request.headers['content-type'] ?? '');
  const bytes = await readBody(call.request);
  const { patch, strictErrors } = await parts.work.runSteps(
    type === patchTypes.apply ? appliedPatch(bytes) : decodePatch(bytes),
  );
  reportStrictErrors(call, strictErrors);
  // Server-side apply requires an explicit field manager; other writes fall back to the user agent.
  const manager = type === patchTypes.apply ? (query.get('fieldManager') ?? '') : undefined;
  const request = { ...writeRequest(parts, call), ...(manager === undefined ? {} : { manager }) };
  return reply(
    parts,
    call,
    await patchObject(parts, request, { contentType: type, patch, force: isTrue(query.get('force')) }),
  );
}

function* appliedPatch(bytes: Buffer): ReturnType<typeof decodePatch> {
  const { object, strictErrors } = yield* decodeApplyPatch(bytes);
  return { patch: object, strictErrors };
}

export async function deleteOne(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  const options = await deleteBody(parts, call);
  const request = writeRequest(parts, call);
  // Convert before deleting: if the conversion webhook fails, the object must still exist.
  await shownIn(request, presentEntry(parts, request));
  return reply(parts, call, await deleteObject(parts, request, options));
}

export async function deleteMany(parts: ApiServerParts, call: ResourceCall): Promise<Reply> {
  const { kind } = call;
  const options = await deleteBody(parts, call);
  const selection = selectionFor(call);
  const request = writeRequest(parts, call);
  const entries = parts.store.list(collectionOf(kind)).filter(selection.matches);
  const shown = await showEntries(kind, entries);
  // Concurrently, so that the deletions share flushes of the journal.
  await Promise.all(
    entries.map(({ namespace, name }) => deleteUnlessGone(parts, { ...request, namespace, name }, options)),
  );
  const items = shown.map(({ object }) => object);
  const list = {
    kind: kind.listKind,
    apiVersion: apiVersionOf(kind),
    metadata: { resourceVersion: String(parts.store.durableRevision) },
    items,
  };
  return { code: 200, body: JSON.stringify(list) };
}

async function deleteBody({ work }: ApiServerParts, call: ResourceCall): Promise<DeleteRequestOptions> {
  const bytes = await readBody(call.request);
  if (bytes.length === 0) return deleteOptions(undefined, call.info.query);
  const contentType = call.request.headers['content-type'];
  const { object } = await work.runSteps(parseObjectBody(bytes, contentType, 'DeleteOptions'));
  return deleteOptions(object, call.info.query);
}

/**
 * Decodes the object in the body. Duplicate fields are rejected, reported as warnings or ignored, as
 * `fieldValidation` says.
 */
export async function objectBody({ work }: ApiServerParts, call: ResourceCall): Promise<JsonObject> {
  const bytes = await readBody(call.request);
  if (bytes.length === 0) throw badRequest('the body of the request was empty');
  const { object, strictErrors } = await work.runSteps(
    parseObjectBody(bytes, call.request.headers['content-type'], call.kind.kind),
  );
  reportStrictErrors(call, strictErrors);
  return object;
}

function reportStrictErrors({ info, kind, warnings }: ResourceCall, problems: readonly string[]): void {
  const validation = fieldValidationOf(info.verb, info.query);
  if (problems.length > 0 && validation === 'Strict') {
    throw badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: strict decoding error: ${problems.join(', ')}`,
    );
  }
  if (validation === 'Warn') warnings.push(...problems);
}

export function writeRequest({ clock }: ApiServerParts, call: ResourceCall): WriteRequest {
  const { kind, user, info, request, warnings } = call;
  return {
    kind,
    user,
    namespace: kind.namespaced ? info.namespace : '',
    name: info.name,
    subresource: info.subresource === 'status' ? 'status' : '',
    dryRun: isDryRun(info.verb, info.query),
    fieldValidation: fieldValidationOf(info.verb, info.query),
    manager: managerOf(info.verb, info.query, request.headers['user-agent']),
    nowMs: clock.now(),
    warn: (text) => warnings.push(text),
  };
}

/**
 * A delete may return a Status, which is sent unchanged. Objects are converted to the view the client
 * accepts.
 */
function reply(parts: ApiServerParts, call: ResourceCall, { code, shown }: WriteResult): Reply {
  if (shown.object['kind'] === 'Status') return { code, body: shown.json };
  return { code, body: present(presentationOf(parts, call), shown) };
}
