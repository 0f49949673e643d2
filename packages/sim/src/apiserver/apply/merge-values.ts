import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { type FieldType, kindOf, type ListType, type MapType, memberType } from './field-type.ts';
import { itemElement } from './list-items.ts';

/** Merges the applied value into the live one, by member and by item where the type allows that. */
export function mergeValues(type: FieldType, live: Json | undefined, applied: Json): Json {
  if (live === undefined) return applied;
  const kind = kindOf(type, applied);
  if (kind === 'map' && type.map !== undefined) return mergeMaps(type.map, live, applied);
  if (kind === 'list' && type.list !== undefined) return mergeLists(type.list, live, applied);
  return applied;
}

function mergeMaps(map: MapType, live: Json, applied: Json): Json {
  if (map.isAtomic || !isJsonObject(live) || Object.keys(live).length === 0) return applied;
  // An applied null owns the map but removes nothing from it.
  if (!isJsonObject(applied)) return live;
  return mergeMembers(map, live, applied);
}

function mergeMembers(map: MapType, live: JsonObject, applied: JsonObject): JsonObject {
  const merged = Object.entries(applied).map(([name, value]): [string, Json] => [
    name,
    mergeValues(memberType(map, name), member(live, name), value),
  ]);
  return { ...live, ...Object.fromEntries(merged) };
}

function mergeLists(list: ListType, live: Json, applied: Json): Json {
  if (list.kind === 'atomic' || !isJsonArray(live) || live.length === 0) return applied;
  if (!isJsonArray(applied)) return live;
  return new ListMerge(list, live, applied).result();
}

/** Applied items keep their relative order; live items stay as close to their position as that allows. */
class ListMerge {
  readonly #list: ListType;
  readonly #live: readonly Json[];
  readonly #liveElements: readonly (string | undefined)[];
  readonly #appliedItems: ReadonlyMap<string, Json>;
  readonly #liveItems: ReadonlyMap<string, Json>;
  readonly #merged: Json[] = [];
  readonly #done = new Set<string>();

  constructor(list: ListType, live: readonly Json[], applied: readonly Json[]) {
    this.#list = list;
    this.#live = live;
    this.#liveElements = live.map((item) => itemElement(list, item));
    this.#liveItems = byElement(list, live);
    this.#appliedItems = byElement(list, applied);
  }

  result(): readonly Json[] {
    const order = [...this.#appliedItems.keys()];
    const shared = order.filter((element) => this.#liveItems.has(element));
    let position = 0;
    let next = 0;
    for (const element of order) {
      while (this.#done.has(shared[next] ?? '')) next += 1;
      position = this.#takeLive(position, shared[next], element);
      this.#take(element);
    }
    this.#takeLive(position, undefined, undefined);
    return this.#merged;
  }

  /** Takes live items that are not applied, up to the position of the next applied item. */
  #takeLive(start: number, nextShared: string | undefined, wanted: string | undefined): number {
    for (let position = start; position < this.#live.length; position += 1) {
      const element = this.#liveElements[position] ?? '';
      if (element === wanted) return position + 1;
      if (!this.#appliedItems.has(element)) this.#merged.push(this.#live[position] ?? null);
      else if (!this.#done.has(element) && element === nextShared) return position;
    }
    return this.#live.length;
  }

  #take(element: string): void {
    this.#done.add(element);
    const applied = this.#appliedItems.get(element) ?? null;
    this.#merged.push(mergeValues(this.#list.item, this.#liveItems.get(element), applied));
  }
}

/** Items with duplicate keys cannot be merged; they map to null. */
function byElement(list: ListType, items: readonly Json[]): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (element !== undefined) found.set(element, found.has(element) ? null : item);
  }
  return found;
}
