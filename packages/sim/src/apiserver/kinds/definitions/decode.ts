import { isJsonArray, isJsonObject, itemPath, type Json, type JsonObject } from '@karpenter/core/schema';
import type { Definitions } from './definitions.ts';
import type { GoDefinition, GoField, GoType } from './go-type.ts';
import { type Leaf, leaves, zeroLeaf } from './leaves.ts';
import { elementOf } from './schema.ts';

export interface DecodedStruct {
  readonly object: JsonObject;
  /** Why the body cannot be decoded: the first value of the wrong type. */
  readonly mismatch: string | undefined;
  /** Paths of unknown fields, in the order of the body. */
  readonly unknownFields: readonly string[];
}

/**
 * Decodes JSON into what Kubernetes would encode after reading it, with the fields of a struct in their
 * order.
 */
export function decodeStruct(
  definitions: Definitions,
  name: string,
  body: JsonObject,
  known: JsonObject = {},
): DecodedStruct {
  const decoder = new Decoder(definitions, known);
  const definition = definitions.get(name);
  const object = decoder.struct(definition, body, undefined);
  return { object, mismatch: decoder.mismatch, unknownFields: decoder.unknownFields };
}

/** The JSON of an absent struct after decoding and encoding. */
export function zeroStruct(definitions: Definitions, name: string): JsonObject {
  return decodeStruct(definitions, name, {}).object;
}

/** Location of a value; undefined for the body. Builds its text only for errors, which are rare. */
interface Place {
  readonly above: Place | undefined;
  /** Name of a field or key, or index of an item. */
  readonly step: string | number;
  /** Set if it is a field of a struct. */
  readonly field?: GoField;
  /** The struct that has the field. */
  readonly owner: string;
}

/** `spec.containers[0].image`, as in warnings about unknown fields. */
function pathOf(place: Place | undefined): string {
  if (place === undefined) return '';
  const { above, step } = place;
  return typeof step === 'number' ? itemPath(pathOf(above), step) : join(pathOf(above), step);
}

/** `spec.containers.image`, as in type errors. */
function goPathOf(place: Place | undefined): string {
  if (place === undefined) return '';
  const { above, field } = place;
  return field === undefined ? goPathOf(above) : join(goPathOf(above), field.path);
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Fields that are encoded even when they are absent. */
const keptFields = new WeakMap<GoDefinition, ReadonlySet<GoField>>();

class Decoder {
  readonly #definitions: Definitions;
  /** Parts of the body that are identical to parts of this object need no second decoding. */
  readonly #known: JsonObject;
  readonly unknownFields: string[] = [];
  mismatch: string | undefined;

  constructor(definitions: Definitions, known: JsonObject) {
    this.#definitions = definitions;
    this.#known = known;
  }

  struct(definition: GoDefinition, body: JsonObject, place: Place | undefined): JsonObject {
    const given = this.#members(definition, body, place);
    const kept = this.#kept(definition);
    const object: Record<string, Json> = {};
    for (const field of definition.fields) {
      const value = given.get(field) ?? (kept.has(field) ? this.#absent(field) : undefined);
      if (value !== undefined) object[field.name] = value;
    }
    return object;
  }

  #kept(definition: GoDefinition): ReadonlySet<GoField> {
    const known = keptFields.get(definition);
    if (known !== undefined) return known;
    const kept = new Set(definition.fields.filter((field) => this.#absent(field) !== undefined));
    keptFields.set(definition, kept);
    return kept;
  }

  /** In the order of the body, because Kubernetes reports the first mismatch. */
  #members(definition: GoDefinition, body: JsonObject, above: Place | undefined): Map<GoField, Json> {
    const given = new Map<GoField, Json>();
    const owner = definition.shortName;
    for (const step in body) {
      const field = definition.fieldsByName.get(step);
      if (field === undefined) {
        this.unknownFields.push(pathOf({ above, step, owner }));
        continue;
      }
      const value = body[step] ?? null;
      if (above === undefined && typeof value === 'object' && value !== null && value === this.#known[step]) {
        given.set(field, value);
        continue;
      }
      const decoded = this.#value(field.type, value, { above, step, field, owner });
      if (decoded !== undefined && !isDropped(field, decoded)) given.set(field, decoded);
    }
    return given;
  }

  #absent({ type, isKept, omitsZero }: GoField): Json | undefined {
    if (type.isPointer) return isKept ? null : undefined;
    if (type.shape === 'struct') {
      return omitsZero ? undefined : this.struct(this.#definitions.get(type.definition ?? ''), {}, undefined);
    }
    if (type.shape === 'opaque') return omitsZero ? undefined : zeroLeaf(type, isKept);
    return isKept ? zeroValue(type) : undefined;
  }

  #value(type: GoType, value: Json, place: Place): Json | undefined {
    if (value === null) return undefined;
    switch (type.shape) {
      case 'struct':
        return this.#structValue(type, value, place);
      case 'list':
        return this.#listValue(type, value, place);
      case 'map':
        return this.#mapValue(type, value, place);
      default:
        return this.#leafValue(type, value, place);
    }
  }

  #structValue(type: GoType, value: Json, place: Place): Json | undefined {
    if (!isJsonObject(value)) return this.#fail(type, value, place);
    return this.struct(this.#definitions.get(type.definition ?? ''), value, place);
  }

  #listValue(type: GoType, value: Json, place: Place): Json | undefined {
    if (!isJsonArray(value)) return this.#fail(type, value, place);
    const element = elementOf(type);
    const { owner } = place;
    return value.map(
      (item, step) => this.#value(element, item, { above: place, step, owner }) ?? this.#zeroElement(element),
    );
  }

  #mapValue(type: GoType, value: Json, place: Place): Json | undefined {
    if (!isJsonObject(value)) return this.#fail(type, value, place);
    const element = elementOf(type);
    const { owner } = place;
    const entries = Object.entries(value).map(([step, entry]) => {
      const decoded = this.#value(element, entry, { above: place, step, owner });
      return [step, decoded ?? this.#zeroElement(element)] as const;
    });
    // Go encodes maps sorted by key.
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #zeroElement(type: GoType): Json {
    if (type.isPointer) return null;
    if (type.shape === 'struct')
      return this.struct(this.#definitions.get(type.definition ?? ''), {}, undefined);
    return (type.shape === 'opaque' ? zeroLeaf(type, true) : zeroValue(type)) ?? null;
  }

  #leafValue(type: GoType, value: Json, place: Place): Json | undefined {
    if (typeof value === type.shape) return value;
    const schemaPart = jsonSchemaPart(type, value);
    if (schemaPart) return this.#value(schemaPart, value, place);
    const read: Leaf = leaves(type);
    const result = read(value);
    if (result.value !== undefined) return result.value;
    if (result.problem !== undefined) return this.#report(result.problem);
    return this.#fail({ ...type, text: result.expected ?? type.text }, value, place);
  }

  #fail(type: GoType, value: Json, place: Place): undefined {
    const goPath = goPathOf(place);
    const target = goPath === '' ? 'value' : `struct field ${place.owner}.${goPath}`;
    return this.#report(
      `json: cannot unmarshal ${jsonTypeText(type, value)} into Go ${target} of type ${type.text}`,
    );
  }

  #report(problem: string): undefined {
    this.mismatch ??= problem;
    return undefined;
  }
}

/** Fields such as `items` of a JSON schema hold a schema, or something simpler that is kept unchanged. */
function jsonSchemaPart(type: GoType, value: Json): GoType | undefined {
  if (!type.definition?.startsWith('apiextensions.v1.JSONSchemaPropsOr')) return undefined;
  const schema: GoType = {
    shape: 'struct',
    text: 'v1.JSONSchemaProps',
    isPointer: true,
    definition: 'apiextensions.v1.JSONSchemaProps',
  };
  if (isJsonObject(value)) return schema;
  const holdsSchemas = type.definition === 'apiextensions.v1.JSONSchemaPropsOrArray' && isJsonArray(value);
  return holdsSchemas
    ? { shape: 'list', text: '[]v1.JSONSchemaProps', isPointer: true, element: schema }
    : undefined;
}

function jsonTypeText({ shape, text }: GoType, value: Json): string {
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  const isNumberForNumber = shape === 'integer' || shape === 'number' || text === 'int32';
  if (typeof value === 'number' && isNumberForNumber) return `number ${value}`;
  return typeof value;
}

function isDropped({ type, isKept }: GoField, value: Json): boolean {
  return !isKept && !type.isPointer && isEmpty(type, value);
}

function isEmpty({ shape }: GoType, value: Json): boolean {
  if (shape === 'struct' || shape === 'opaque') return false;
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function zeroValue({ shape }: GoType): Json {
  switch (shape) {
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    default:
      return null;
  }
}
