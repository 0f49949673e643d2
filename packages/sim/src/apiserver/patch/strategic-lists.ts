import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
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
    const merged = all.filter((item, index) => all.indexOf(item) === index);
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
  for (const change of changes) {
    const key = keyOf(change, rule.mergeKey);
    const found = merged.findIndex((item) => equalJson(keyOf(item, rule.mergeKey), key));
    const current = merged[found];
    if (isJsonObject(current)) merged[found] = rule.mergeItems(current, change);
    else merged.push(change);
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
  let left = original;
  let replaces = false;
  for (const item of patch) {
    const object = objectItem(item);
    const directive = object['$patch'];
    if (directive === undefined) changes.push(object);
    else if (directive === 'replace') replaces = true;
    else if (directive === 'delete') left = withoutKey(left, mergeKey, keyOf(object, mergeKey));
    else if (directive === 'merge') throw failedPatch('merging lists cannot yet be specified in the patch');
    else throw failedPatch(`unknown patch type: ${String(directive)} in map: ${goMapText(object)}`);
  }
  return replaces ? { left: changes, changes: [] } : { left, changes };
}

function withoutKey(items: readonly Json[], mergeKey: string, key: Json): readonly Json[] {
  return items.filter((item) => !equalJson(keyOf(item, mergeKey), key));
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
  let position = 0;
  for (const item of items) {
    while (position < order.length && !isSame(item, order[position], mergeKey)) position += 1;
    if (position === order.length) return false;
    position += 1;
  }
  return true;
}

/**
 * Items named by the client come in its order, the others in their original order. An item of the second
 * group precedes one of the first only if it did so originally.
 */
function inOrder({ merged, order, original }: Arrangement, mergeKey: string | undefined): readonly Json[] {
  const place = (item: Json, row: readonly Json[]) => row.findIndex((other) => isSame(item, other, mergeKey));
  const sortedBy = (row: readonly Json[], items: readonly Json[]) =>
    items.toSorted((a, b) => place(a, row) - place(b, row));
  const known = sortedBy(
    order,
    merged.filter((item) => place(item, order) >= 0),
  );
  const others = sortedBy(
    original,
    merged.filter((item) => place(item, order) < 0),
  );
  return joined(others, known, (item) => place(item, original));
}

function joined(
  others: readonly Json[],
  known: readonly Json[],
  placeBefore: (item: Json) => number,
): Json[] {
  const result: Json[] = [];
  const rest = [...others];
  for (const item of known) {
    const place = placeBefore(item);
    let next = rest[0];
    while (next !== undefined && place >= 0 && placeBefore(next) >= 0 && placeBefore(next) < place) {
      result.push(next);
      rest.shift();
      next = rest[0];
    }
    result.push(item);
  }
  return [...result, ...rest];
}

function isSame(a: Json, b: Json | undefined, mergeKey: string | undefined): boolean {
  if (mergeKey === undefined || !isJsonObject(a) || !isJsonObject(b)) return equalJson(a, b);
  return equalJson(a[mergeKey], b[mergeKey]);
}

export function removeScalars(current: readonly Json[], unwanted: readonly Json[]): readonly Json[] {
  return current.filter((item) => !unwanted.includes(item));
}
