import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  member,
} from '@karpenter/core/schema';
import { effectiveSchema } from '../effective-schema.ts';
import type { Draft } from '../kinds/draft.ts';
import { goMapText } from './go-map-text.ts';
import { draftOf, finished } from './json-members.ts';
import { failedPatch, malformedPatch, notAMap } from './patch-refusal.ts';
import { type ListRule, mergeLists, orderMerged, removeScalars } from './strategic-lists.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const setOrder = '$setElementOrder/';
const deleteFrom = '$deleteFromPrimitiveList/';

/**
 * Applies a strategic merge patch: list items are matched by the merge key in the schema, and directives in
 * the patch delete, replace and order them. Custom kinds do not support it; the caller rejects those.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: Json, schema: JsonSchema): JsonObject {
  if (!isJsonObject(patch)) throw malformedPatch(notAMap(patch));
  return mergeMaps(document, patch, schema);
}

function mergeMaps(original: JsonObject, patch: JsonObject, schema: JsonSchema): JsonObject {
  const marker = patch[directive];
  if (marker !== undefined) return applyDirective(marker, patch);
  const merged = draftOf(original, patch);
  retainOnly(merged, patch);
  const ordered = mergeOrderedLists(merged, patch, schema);
  for (const [name, value] of Object.entries(patch)) {
    if (name === retainKeys || name.startsWith(setOrder) || ordered.has(name)) continue;
    if (name.startsWith(deleteFrom)) removeFromList(merged, name.slice(deleteFrom.length), value);
    else mergeMember(merged, name, value, memberSchema(schema, name));
  }
  return finished(merged);
}

function applyDirective(marker: Json, patch: JsonObject): JsonObject {
  if (marker === 'delete') return {};
  if (marker !== 'replace') {
    throw failedPatch(`unknown patch type: ${String(marker)} in map: ${goMapText(patch)}`);
  }
  const { [directive]: _, ...rest } = patch;
  return rest;
}

/** `$retainKeys` lists all members that may stay, so that one alternative of a union replaces another. */
function retainOnly(merged: Draft, patch: JsonObject): void {
  const kept = patch[retainKeys];
  if (kept === undefined) return;
  if (!isJsonArray(kept)) throw malformedPatch('invalid patch format of retainKeys');
  const names = new Set(kept);
  const stray = Object.entries(patch).some(
    ([name, value]) => value !== null && !isDirective(name) && !names.has(name),
  );
  if (stray) throw malformedPatch('invalid patch format of retainKeys');
  for (const name of Object.keys(merged)) if (!names.has(name)) delete merged[name];
}

function isDirective(name: string): boolean {
  return name === retainKeys || name.startsWith(setOrder) || name.startsWith(deleteFrom);
}

function mergeMember(merged: Draft, name: string, value: Json, schema: JsonSchema): void {
  const current = member(merged, name);
  if (value === null) delete merged[name];
  else if (isJsonObject(value) && isJsonObject(current)) {
    merged[name] = strategyOf(schema) === 'replace' ? value : mergeMaps(current, value, schema);
  } else if (isJsonArray(value) && isJsonArray(current)) {
    merged[name] = mergeListMember(current, value, schema);
  } else {
    const plain = withoutDirectives(value);
    if (plain === undefined) delete merged[name];
    else merged[name] = plain;
  }
}

function mergeListMember(current: readonly Json[], patch: readonly Json[], schema: JsonSchema): Json {
  return strategyOf(schema) === 'merge' ? mergeLists(current, patch, listRule(schema)) : patch;
}

/**
 * Merges and sorts the lists that have a `$setElementOrder`, and returns their names. kubectl apply sends the
 * order for every list it knows, even if the patch does not change the list.
 */
function mergeOrderedLists(merged: Draft, patch: JsonObject, schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(setOrder)) continue;
    const name = key.slice(setOrder.length);
    if (!isJsonArray(order)) throw malformedPatch('invalid patch format of setElementOrder list');
    const list = orderedList(
      { current: merged[name], patch: patch[name], order },
      memberSchema(schema, name),
    );
    if (list === undefined) continue;
    merged[name] = list;
    names.add(name);
  }
  return names;
}

interface OrderedLists {
  readonly current: Json | undefined;
  readonly patch: Json | undefined;
  readonly order: readonly Json[];
}

function orderedList(
  { current, patch, order }: OrderedLists,
  schema: JsonSchema,
): readonly Json[] | undefined {
  const changes = listOrAbsent(patch);
  const original = listOrAbsent(current);
  const content = changes === undefined ? original : mergedContent(original, changes, schema);
  if (content === undefined) return undefined;
  return orderMerged(
    { merged: content, order, original: original ?? [], patch: changes ?? [] },
    listRule(schema),
  );
}

function mergedContent(
  original: readonly Json[] | undefined,
  changes: readonly Json[],
  schema: JsonSchema,
): readonly Json[] {
  const content =
    original === undefined ? withoutDirectives(changes) : mergeListMember(original, changes, schema);
  return isJsonArray(content) ? content : [];
}

function listOrAbsent(value: Json | undefined): readonly Json[] | undefined {
  if (value === undefined || isJsonArray(value)) return value;
  const found = isJsonObject(value) ? 'map[string]interface {}' : goType(value);
  throw failedPatch(`expected a []interface {}, but received a ${found}`);
}

function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

function removeFromList(merged: Draft, name: string, unwanted: Json): void {
  const current = merged[name];
  if (isJsonArray(current) && isJsonArray(unwanted)) merged[name] = removeScalars(current, unwanted);
}

/** A new value without nulls and without parts that carry a directive. */
function withoutDirectives(value: Json): Json | undefined {
  if (isJsonArray(value)) return value.flatMap((item) => withoutDirectives(item) ?? []);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, entry]) => {
      const kept = entry === null ? undefined : withoutDirectives(entry);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

function memberSchema(schema: JsonSchema, name: string): JsonSchema {
  const { properties, additionalProperties } = effectiveSchema(schema);
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name] ?? {};
  return typeof additionalProperties === 'object' ? additionalProperties : {};
}

/** `merge`, `replace` or undefined. `retainKeys` only asks the client to send that directive. */
function strategyOf(schema: JsonSchema): string | undefined {
  return schema['x-kubernetes-patch-strategy']?.split(',').find((strategy) => strategy !== 'retainKeys');
}

function listRule(schema: JsonSchema): ListRule {
  const items = schema.items ?? {};
  return {
    mergeKey: schema['x-kubernetes-patch-merge-key'],
    mergeItems: (original, patch) => mergeMaps(original, patch, items),
  };
}
