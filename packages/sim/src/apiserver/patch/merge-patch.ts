import { isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { draftOf, finished } from './json-members.ts';
import { malformedPatch, notAMap } from './patch-refusal.ts';

/**
 * Applies RFC 7386: members of the patch replace those of the document, null removes, lists are replaced as a
 * whole.
 */
export function applyMergePatch(document: JsonObject, patch: Json): JsonObject {
  if (!isJsonObject(patch)) throw notAnObject(patch);
  return mergeObjects(document, patch);
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const merged = draftOf(document, patch);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(member(merged, name), value);
  }
  return finished(merged);
}

function merge(current: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  return mergeObjects(isJsonObject(current) ? current : {}, patch);
}

function notAnObject(patch: Json) {
  return malformedPatch(patch === null ? 'Invalid JSON Patch' : `error decoding patch: ${notAMap(patch)}`);
}
