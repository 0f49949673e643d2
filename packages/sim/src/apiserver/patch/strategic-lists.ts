import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { goMapText } from './go-map-text.ts';
import { failedPatch, inapplicablePatch } from './patch-refusal.ts';

export interface ListRule {
  /** The field that identifies an item; undefined for lists of scalars. */
  readonly mergeKey: string | undefined;
  mergeItems(original: JsonObject, patch: JsonObject): JsonObject;
}

/** Merges two lists: items of the patch in its order, the others in theirs. */
export function mergeLists(
  original: readonly Json[],
  patch: readonly Json[],
  rule: ListRule,
): readonly Json[] {
  const all = [...original, ...patch];
  if (all.some(isJsonArray)) throw inapplicablePatch();
  if (!all.some(isJsonObject)) {
    const merged = [...new Set(all)];
    return inOrder({ merged, order: patch, original }, undefined);
  }
  const mergeKey = rule.mergeKey;
  if (mergeKey === undefined) throw failedPatch('cannot merge lists without merge key for slice');
  return mergeKeyed(original, patch, { ...rule, mergeKey });
}

type KeyedRule = ListRule & { readonly mergeKey: string };

function mergeKeyed(original: readonly Json[], patch: readonly Json[], rule: KeyedRule): readonly Json[] {
  const { left, changes } = applyItemDirectives(original, patch, rule.mergeKey);
  const merged = [...left];
  const places = new Map<string, number>();
  for (const [index, item] of left.entries()) rememberPlace(places, keyText(item, rule.mergeKey), index);
  for (const change of changes) {
    const key = keyText(change, rule.mergeKey);
    const found = places.get(key) ?? merged.length;
    const current = merged[found];
    merged[found] = isJsonObject(current) ? rule.mergeItems(current, change) : change;
    rememberPlace(places, key, found);
  }
  return inOrder({ merged, order: changes, original: left }, rule.mergeKey);
}

interface ItemChanges {
  readonly left: readonly Json[];
  readonly changes: readonly JsonObject[];
}

function applyItemDirectives(
  original: readonly Json[],
  patch: readonly Json[],
  mergeKey: string,
): ItemChanges {
  const changes: JsonObject[] = [];
  const deleted = new Set<string>();
  let replaces = false;
  for (const item of patch) {
    const object = objectItem(item);
    const directive = object['$patch'];
    if (directive === undefined) changes.push(object);
    else if (directive === 'replace') replaces = true;
    else if (directive === 'delete') deleted.add(keyText(object, mergeKey));
    else if (directive === 'merge') throw failedPatch('merging lists cannot yet be specified in the patch');
    else throw failedPatch(`unknown patch type: ${String(directive)} in map: ${goMapText(object)}`);
  }
  if (replaces) return { left: changes, changes: [] };
  const left =
    deleted.size === 0 ? original : original.filter((item) => !deleted.has(keyText(item, mergeKey)));
  return { left, changes };
}

/** The key of an item as text, so that large lists are merged without comparing every pair of items. */
function keyText(item: Json, mergeKey: string): string {
  return jsonText(keyOf(item, mergeKey));
}

/** The first of several equal items counts. */
function rememberPlace(places: Map<string, number>, key: string, place: number): void {
  if (!places.has(key)) places.set(key, place);
}

function objectItem(item: Json): JsonObject {
  if (isJsonObject(item)) return item;
  throw failedPatch(`list element types are not identical: ${JSON.stringify(item)}`);
}

function keyOf(item: Json, mergeKey: string): Json {
  const object = objectItem(item);
  const key = object[mergeKey];
  if (key === undefined) {
    throw failedPatch(`map: ${goMapText(object)} does not contain declared merge key: ${mergeKey}`);
  }
  return key;
}

interface Arrangement {
  readonly merged: readonly Json[];
  /** The order that the client requests for the items it knows. */
  readonly order: readonly Json[];
  /** The items in their order before the patch. */
  readonly original: readonly Json[];
}

/** Sorts a merged list by `$setElementOrder`. Throws when that contradicts the order in the patch. */
export function orderMerged(
  { patch, ...arrangement }: Arrangement & { readonly patch: readonly Json[] },
  rule: ListRule,
): readonly Json[] {
  const { order } = arrangement;
  if (
    !isInOrder(
      patch.filter((item) => !isDirectiveItem(item)),
      order,
      rule.mergeKey,
    )
  ) {
    throw failedPatch(
      `The order in patch list:\n${goMapText(patch)}\n doesn't match $setElementOrder list:\n${goMapText(order)}\n`,
    );
  }
  return inOrder(arrangement, rule.mergeKey);
}

function isDirectiveItem(item: Json): boolean {
  return isJsonObject(item) && Object.hasOwn(item, '$patch');
}

function isInOrder(items: readonly Json[], order: readonly Json[], mergeKey: string | undefined): boolean {
  if (order.length === 0) return true;
  const ordered = order.map((item) => identity(item, mergeKey));
  let position = 0;
  for (const item of items) {
    const wanted = identity(item, mergeKey);
    while (position < ordered.length && ordered[position] !== wanted) position += 1;
    if (position === ordered.length) return false;
    position += 1;
  }
  return true;
}

/**
 * Items named by the client come in its order, the others in their original order. An item of the second
 * group precedes one of the first only if it did so originally.
 */
function inOrder({ merged, order, original }: Arrangement, mergeKey: string | undefined): readonly Json[] {
  const inOrderAt = placesOf(order, mergeKey);
  const beforeAt = placesOf(original, mergeKey);
  const placed = merged.map((item): Placed => {
    const id = identity(item, mergeKey);
    return { item, inOrder: inOrderAt.get(id) ?? -1, before: beforeAt.get(id) ?? -1 };
  });
  return joined(
    placed.filter((each) => each.inOrder < 0).sort((a, b) => a.before - b.before),
    placed.filter((each) => each.inOrder >= 0).sort((a, b) => a.inOrder - b.inOrder),
  );
}

/** An item with its positions; -1 where a list does not have it. */
interface Placed {
  readonly item: Json;
  readonly inOrder: number;
  readonly before: number;
}

function placesOf(row: readonly Json[], mergeKey: string | undefined): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, item] of row.entries()) rememberPlace(places, identity(item, mergeKey), index);
  return places;
}

function joined(others: readonly Placed[], known: readonly Placed[]): readonly Json[] {
  const result: Json[] = [];
  let taken = 0;
  const precedes = (next: Placed, place: number) => next.before >= 0 && next.before < place;
  for (const { item, before } of known) {
    for (let next = others[taken]; next !== undefined && precedes(next, before); next = others[taken]) {
      result.push(next.item);
      taken += 1;
    }
    result.push(item);
  }
  return result.concat(others.slice(taken).map(({ item }) => item));
}

/** Equal for items that are the same one: objects by their key, others by value. */
function identity(item: Json, mergeKey: string | undefined): string {
  if (mergeKey === undefined || !isJsonObject(item)) return `value ${jsonText(item)}`;
  return `key ${jsonText(item[mergeKey] ?? null)}`;
}

/** Equal texts for equal values, whatever the order of members is. */
function jsonText(value: Json): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  return JSON.stringify(value, (_, each: Json) => (isJsonObject(each) ? sortedMembers(each) : each));
}

function sortedMembers(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
}

export function removeScalars(current: readonly Json[], unwanted: readonly Json[]): readonly Json[] {
  const removed = new Set(unwanted);
  return current.filter((item) => !removed.has(item));
}
