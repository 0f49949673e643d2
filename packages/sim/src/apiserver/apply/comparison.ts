import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { emptySet, type FieldSet, leaf, recursiveDifference, self, union } from './field-set.ts';
import {
  type FieldType,
  kindOf,
  type ListType,
  type MapType,
  memberType,
  type ValueKind,
} from './field-type.ts';
import { itemElement, itemsByElement } from './list-items.ts';

/** What a write did to an object, as sets of fields. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Fields of `after` that are new or different, and fields of `before` that are gone. */
export function compareValues(type: FieldType, before: Json, after: Json): Comparison {
  const walk = new ComparisonWalk();
  walk.compare(type, before, after);
  return walk;
}

/** Without everything at or below the given fields. */
export function withoutFields(comparison: Comparison, fields: FieldSet): Comparison {
  return {
    added: recursiveDifference(comparison.added, fields),
    modified: recursiveDifference(comparison.modified, fields),
    removed: recursiveDifference(comparison.removed, fields),
  };
}

export function changedFields({ added, modified }: Comparison): FieldSet {
  return union(modified, added);
}

type Outcome = keyof Comparison;
type Draft = Record<string, FieldSet>;

class ComparisonWalk implements Comparison {
  added = emptySet;
  modified = emptySet;
  removed = emptySet;
  readonly #path: string[] = [];

  compare(type: FieldType, before: Json, after: Json): void {
    if (before === after) return;
    const kind = kindOf(type, before);
    const kindAfter = kindOf(type, after);
    this.#compareAs(kind, type, before, after);
    if (kindAfter !== kind) this.#compareAs(kindAfter, type, before, after);
  }

  #compareAs(kind: ValueKind, type: FieldType, before: Json, after: Json): void {
    if (kind === 'map' && type.map !== undefined) this.#compareMaps(type.map, before, after);
    else if (kind === 'list' && type.list !== undefined) this.#compareLists(type.list, before, after);
    else this.#compareLeaves(before, after);
  }

  #compareLeaves(before: Json, after: Json): void {
    if (!equalJson(before, after)) this.#record('modified', leaf);
  }

  #compareMaps(map: MapType, before: Json, after: Json): void {
    const old = isJsonObject(before) ? before : {};
    const current = isJsonObject(after) ? after : {};
    // Between nothing and an empty map the map itself is what changed.
    const areEmpty = isEmptyObject(old) && isEmptyObject(current);
    if (map.isAtomic || areEmpty) this.#compareLeaves(before, after);
    else this.#compareMembers(map, old, current);
  }

  #compareMembers(map: MapType, old: JsonObject, current: JsonObject): void {
    for (const name in current) this.#compareMember(map, name, old[name], current[name]);
    for (const name in old) {
      if (current[name] === undefined) this.#compareMember(map, name, old[name], undefined);
    }
  }

  #compareMember(map: MapType, name: string, before: Json | undefined, after: Json | undefined): void {
    if (before === after) return;
    const zero = map.fields.get(name)?.zero;
    this.#compareBelow(`f:${name}`, memberType(map, name), before ?? zero, after ?? zero);
  }

  #compareBelow(element: string, type: FieldType, before: Json | undefined, after: Json | undefined): void {
    if (before === after) return;
    this.#path.push(element);
    if (before === undefined) this.#record('added', fieldsOfWhole(type, after ?? null));
    else if (after === undefined) this.#record('removed', fieldsOfWhole(type, before));
    else this.compare(type, before, after);
    this.#path.pop();
  }

  #compareLists(list: ListType, before: Json, after: Json): void {
    const old = isJsonArray(before) ? before : [];
    const current = isJsonArray(after) ? after : [];
    const areEmpty = old.length === 0 && current.length === 0;
    if (list.kind === 'atomic' || areEmpty) this.#compareLeaves(before, after);
    else this.#compareAllItems(list, old, current);
  }

  #compareAllItems(list: ListType, old: readonly Json[], current: readonly Json[]): void {
    const oldItems = itemsByElement(list, old);
    const items = itemsByElement(list, current);
    for (const [element, same] of items) this.#compareItems(list, element, oldItems.get(element) ?? [], same);
    for (const [element, same] of oldItems) {
      if (!items.has(element)) this.#compareItems(list, element, same, []);
    }
  }

  #compareItems(list: ListType, element: string, before: readonly Json[], after: readonly Json[]): void {
    if (before.length <= 1 && after.length <= 1) this.#compareBelow(element, list.item, before[0], after[0]);
    else this.#compareRepeated(list, element, before, after);
  }

  /** Items that a list holds several times are one field together. */
  #compareRepeated(list: ListType, element: string, before: readonly Json[], after: readonly Json[]): void {
    if (before.length > 1 && after.length > 1) {
      if (!equalJson(before, after)) this.#recordAt(element, 'modified');
    } else if (before.length > 1) {
      this.#compareBelow(element, list.item, undefined, after[0]);
      this.#recordAt(element, 'removed');
    } else {
      this.#compareBelow(element, list.item, before[0], undefined);
      this.#recordAt(element, 'added');
    }
  }

  #recordAt(element: string, outcome: Outcome): void {
    this.#path.push(element);
    this.#record(outcome, leaf);
    this.#path.pop();
  }

  #record(outcome: Outcome, fields: FieldSet): void {
    const path = this.#path;
    if (path.length === 0) return;
    const set = path.reduceRight<FieldSet>((below, element) => ({ [element]: below }), fields);
    this[outcome] = union(this[outcome], set);
  }
}

/** All fields of a value that was not there before: every node on the way to a leaf is one, too. */
export function fieldsOfWhole(type: FieldType, value: Json): FieldSet {
  const kind = kindOf(type, value);
  if (kind === 'map' && type.map !== undefined && isJsonObject(value)) return mapFields(type.map, value);
  if (kind === 'list' && type.list !== undefined && isJsonArray(value)) return listFields(type.list, value);
  return leaf;
}

function mapFields(map: MapType, value: JsonObject): FieldSet {
  if (map.isAtomic) return leaf;
  const fields: Draft = {};
  let isEmpty = true;
  for (const name in value) {
    const member = value[name];
    if (member === undefined) continue;
    if (isEmpty) fields[self] = leaf;
    isEmpty = false;
    fields[`f:${name}`] = fieldsOfWhole(memberType(map, name), member);
  }
  if (isEmpty) return leaf;
  for (const name of map.structs) if (value[name] === undefined) fields[`f:${name}`] = leaf;
  return fields;
}

function listFields(list: ListType, items: readonly Json[]): FieldSet {
  if (list.kind === 'atomic' || items.length === 0) return leaf;
  const fields: Draft = { [self]: leaf };
  for (const item of items) {
    const element = itemElement(list, item);
    if (element === undefined) continue;
    fields[element] = fields[element] === undefined ? fieldsOfWhole(list.item, item) : leaf;
  }
  return fields;
}

function isEmptyObject(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}
