import type { Json, JsonSchema } from '@karpenter/core/schema';
import { effectiveSchema } from '../effective-schema.ts';

/**
 * The granularity of ownership at a place in an object. A schema usually allows one of scalar, list and map;
 * without a schema all three are possible, and the value decides.
 */
export interface FieldType {
  readonly scalar: ScalarKind | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

type ScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  /** An atomic list has one owner; in sets and maps each item has its own. */
  readonly kind: 'atomic' | 'set' | 'map';
  /** Sorted by name, as in path elements. */
  readonly keys: readonly ListKey[];
  readonly item: FieldType;
}

interface ListKey {
  readonly name: string;
  /** The key's value in items that omit it. */
  readonly default: Json | undefined;
}

export interface MapType {
  readonly isAtomic: boolean;
  /** Properties in the schema. */
  readonly fields: ReadonlyMap<string, StructField>;
  /** Type of all other members; undefined when they are not allowed. */
  readonly element: FieldType | undefined;
  /** Fields that count as an empty struct when absent. */
  readonly structs: readonly StructField[];
}

export interface StructField {
  readonly name: string;
  /** The path element, `f:` and the name. */
  readonly element: string;
  readonly type: FieldType;
  /** The value that an absent field stands for: an empty struct, null, or undefined for none. */
  readonly zero: Json | undefined;
}

export type ValueKind = 'scalar' | 'list' | 'map';

/** The kind to treat a value as: its own kind if the type allows it, otherwise the kind of the type. */
export function kindOf(type: FieldType, value: Json): ValueKind {
  if (Array.isArray(value)) {
    if (type.list !== undefined) return 'list';
  } else if (typeof value === 'object') {
    if (value !== null && type.map !== undefined) return 'map';
  } else if (type.scalar !== undefined) return 'scalar';
  if (type.map !== undefined) return 'map';
  return type.scalar === undefined ? 'list' : 'scalar';
}

export function memberType(map: MapType, name: string): FieldType {
  return map.fields.get(name)?.type ?? map.element ?? deducedType;
}

const elements = new Map<string, string>();
const elementLimit = 20_000;

/**
 * The path element of a field. Cached, because labels and annotations repeat in many objects, and a newly
 * concatenated string is slow as an object key.
 */
export function fieldElement(name: string): string {
  const known = elements.get(name);
  if (known !== undefined) return known;
  if (elements.size >= elementLimit) elements.clear();
  const element = `f:${name}`;
  elements.set(name, element);
  return element;
}

const atomicType: FieldType = {
  scalar: 'untyped',
  get list(): ListType {
    return atomicList;
  },
  get map(): MapType {
    return atomicMap;
  },
};
const atomicList: ListType = { kind: 'atomic', keys: [], item: atomicType };
const atomicMap: MapType = { isAtomic: true, fields: new Map(), element: atomicType, structs: [] };

/** The type without a schema: maps are divided by member, lists are atomic. */
export const deducedType: FieldType = {
  scalar: 'untyped',
  list: atomicList,
  get map(): MapType {
    return deducedMap;
  },
};
const deducedMap: MapType = { isAtomic: false, fields: new Map(), element: deducedType, structs: [] };

/** Compiles schemas on first use; each schema object once. */
export class FieldTypes {
  readonly #types = new WeakMap<JsonSchema, FieldType>();
  readonly #hasZeroValues: boolean;
  readonly #preservesUnknown: boolean;
  #preserving: FieldTypes | undefined;

  /**
   * Built-in kinds are Go structs, which have `{}` or null where the JSON omits a field; custom kinds have
   * nothing there. Below `x-kubernetes-preserve-unknown-fields`, members without a schema are allowed.
   */
  constructor(options: { readonly hasZeroValues: boolean; readonly preservesUnknown?: boolean }) {
    this.#hasZeroValues = options.hasZeroValues;
    this.#preservesUnknown = options.preservesUnknown ?? false;
  }

  of(schema: JsonSchema): FieldType {
    if (schema['x-kubernetes-preserve-unknown-fields'] === true && !this.#preservesUnknown) {
      this.#preserving ??= new FieldTypes({ hasZeroValues: this.#hasZeroValues, preservesUnknown: true });
      return this.#preserving.of(schema);
    }
    const known = this.#types.get(schema);
    if (known !== undefined) return known;
    const compiled = this.#compile(effectiveSchema(schema));
    this.#types.set(schema, compiled);
    return compiled;
  }

  #compile(schema: JsonSchema): FieldType {
    switch (schema['x-kubernetes-int-or-string'] === true ? 'int-or-string' : schema.type) {
      case 'object':
        return { scalar: undefined, list: undefined, map: this.#map(schema) };
      case 'array':
        return { scalar: undefined, list: this.#list(schema), map: undefined };
      case undefined:
        return { scalar: 'untyped', list: this.#list(schema), map: this.#map(schema) };
      default:
        return { scalar: scalarKind(schema), list: undefined, map: undefined };
    }
  }

  #list(schema: JsonSchema): ListType {
    const { items } = schema;
    const item = once(() => (items === undefined ? atomicType : this.of(items)));
    const { kind, keys } = listRelation(schema);
    const defaults = items === undefined ? {} : (effectiveSchema(items).properties ?? {});
    return {
      kind,
      keys: keys.toSorted().map((name) => ({ name, default: defaults[name]?.default })),
      get item() {
        return item();
      },
    };
  }

  #map(schema: JsonSchema): MapType {
    const { properties = {}, additionalProperties } = schema;
    const fields = new Map(
      Object.entries(properties).map(([name, property]) => [name, this.#field(schema, name, property)]),
    );
    const isOpen = this.#preservesUnknown || fields.size === 0 || additionalProperties === true;
    const element = once(() => {
      if (typeof additionalProperties === 'object') return this.of(additionalProperties);
      return isOpen && additionalProperties !== false ? deducedType : undefined;
    });
    return {
      isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
      fields,
      get element() {
        return element();
      },
      structs: [...fields.values()].filter(({ zero }) => zero !== undefined && zero !== null),
    };
  }

  #field(owner: JsonSchema, name: string, schema: JsonSchema): StructField {
    const type = once(() => this.of(schema));
    return {
      name,
      element: fieldElement(name),
      get type() {
        return type();
      },
      zero: this.#hasZeroValues ? zeroValue(owner, name, schema) : undefined,
    };
  }
}

/** Computes a type when it is first needed, because schemas may be recursive. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Go writes structs even when empty, which the schema marks with a default, and required lists and maps as
 * null.
 */
function zeroValue(owner: JsonSchema, name: string, schema: JsonSchema): Json | undefined {
  const { type, properties } = effectiveSchema(schema);
  if (type === 'object' && properties !== undefined && schema.default !== undefined) return {};
  const isContainer = type === 'array' || type === 'object';
  return isContainer && owner.required?.includes(name) === true ? null : undefined;
}

function scalarKind(schema: JsonSchema): ScalarKind {
  if (schema['x-kubernetes-int-or-string'] === true) return 'untyped';
  if (schema.type === 'integer' || schema.type === 'number') return 'numeric';
  if (schema.type === 'boolean') return 'boolean';
  return schema.format === undefined || schema.format === 'byte' ? 'string' : 'untyped';
}

function listRelation(schema: JsonSchema): Pick<ListType, 'kind'> & { readonly keys: readonly string[] } {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'map') return { kind: 'map', keys: schema['x-kubernetes-list-map-keys'] ?? [] };
  if (type !== undefined) return { kind: type, keys: [] };
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return { kind: 'atomic', keys: [] };
  const key = schema['x-kubernetes-patch-merge-key'];
  return key === undefined ? { kind: 'set', keys: [] } : { kind: 'map', keys: [key] };
}
