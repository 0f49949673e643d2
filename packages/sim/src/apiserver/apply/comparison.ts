import {
  equalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
} from '@karpenter/core/schema';
import { type FieldSet, leaf, recursiveDifference, self, union } from './field-set.ts';
import {
  deducedType,
  type FieldType,
  fieldElement,
  kindOf,
  type ListType,
  type MapType,
  type ValueKind,
} from './field-type.ts';
import { itemElement, itemsByElement } from './list-items.ts';

/** The difference between two objects, as sets of fields. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Computes the fields that are new or different in `after` and those that only `before` has. */
export function compareValues(type: FieldType, before: Json, after: Json): Comparison {
  const walk = new ComparisonWalk();
  walk.compare(type, before, after);
  return walk;
}

/** The comparison without everything at or below the given fields. */
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
interface Draft {
  [element: string]: Draft;
}

class ComparisonWalk implements Comparison {
  readonly added: Draft = {};
  readonly modified: Draft = {};
  readonly removed: Draft = {};
  readonly #path: string[] = [];

  compare(type: FieldType, before: Json, after: Json): void {
    if (before === after) return;
    const kind = kindOf(type, before);
    const kindAfter = kindOf(type, after);
    this.#compareAs(kind, type, before, after);
    if (kindAfter !== kind) this.#compareAs(kindAfter, type, before, after);
  }

  /**
   * Compares as one kind. A value that changed its kind is compared as both, since fields disappear and
   * appear.
   */
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
    // Between absent and an empty map, the map itself is the change.
    const areEmpty = isEmptyObject(old) && isEmptyObject(current);
    if (map.isAtomic || areEmpty) this.#compareLeaves(before, after);
    else this.#compareMembers(map, old, current);
  }

  #compareMembers(map: MapType, old: JsonObject, current: JsonObject): void {
    for (const name in current) this.#compareMember(map, name, member(old, name), current[name]);
    for (const name in old) {
      if (member(current, name) === undefined) this.#compareMember(map, name, old[name], undefined);
    }
  }

  #compareMember(map: MapType, name: string, before: Json | undefined, after: Json | undefined): void {
    if (before === after) return;
    const field = map.fields.get(name);
    if (field === undefined)
      this.#compareBelow(fieldElement(name), map.element ?? deducedType, before, after);
    else this.#compareBelow(field.element, field.type, before ?? field.zero, after ?? field.zero);
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

  /** Items with the same key count as one field together, because they cannot be distinguished. */
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
    const last = path.length - 1;
    let node = this[outcome];
    for (let depth = 0; depth < last; depth += 1) node = childDraft(node, path[depth] ?? '');
    const element = path[last];
    if (element === undefined) return;
    const known = node[element];
    node[element] =
      known === undefined ? fields : (union({ [element]: known }, { [element]: fields })[element] ?? fields);
  }
}

function childDraft(node: Draft, element: string): Draft {
  const known = node[element];
  if (known !== undefined && known !== leaf) return known;
  const child = known === undefined ? {} : { [self]: leaf };
  node[element] = child;
  return child;
}

/** All fields of a new value. Inner nodes are members too, as for every added value. */
function fieldsOfWhole(type: FieldType, value: Json): FieldSet {
  const kind = kindOf(type, value);
  if (kind === 'map' && type.map !== undefined && isJsonObject(value)) return mapFields(type.map, value);
  if (kind === 'list' && type.list !== undefined && isJsonArray(value)) return listFields(type.list, value);
  return leaf;
}

function mapFields(map: MapType, value: JsonObject): FieldSet {
  if (map.isAtomic) return leaf;
  const fields = new SortedFields();
  for (const name in value) {
    const inner = value[name];
    if (inner === undefined) continue;
    const field = map.fields.get(name);
    if (field === undefined) fields.add(fieldElement(name), fieldsOfWhole(map.element ?? deducedType, inner));
    else fields.add(field.element, fieldsOfWhole(field.type, inner));
  }
  if (fields.isEmpty) return leaf;
  for (const { name, element } of map.structs) if (value[name] === undefined) fields.add(element, leaf);
  return fields.node();
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

/** Builds a node with its members in the order of fieldsV1, in which they mostly are already. */
class SortedFields {
  readonly #members: [element: string, node: FieldSet][] = [];
  #isOrdered = true;

  get isEmpty(): boolean {
    return this.#members.length === 0;
  }

  add(element: string, node: FieldSet): void {
    const last = this.#members.at(-1)?.[0];
    if (last !== undefined && last > element) this.#isOrdered = false;
    this.#members.push([element, node]);
  }

  node(): FieldSet {
    if (!this.#isOrdered) this.#members.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
    const node: Draft = { [self]: leaf };
    for (const [element, below] of this.#members) node[element] = below;
    return node;
  }
}

function isEmptyObject(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}
