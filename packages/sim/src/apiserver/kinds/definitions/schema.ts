import type { Json, JsonSchema } from '@karpenter/core/schema';
import type { Definitions } from './definitions.ts';
import type { GoField, GoType } from './go-type.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * JSON schemas of definitions. Each definition has one schema object however often it is used, so the schemas
 * of all kinds together are small, and a recursive definition is a recursive schema.
 */
export class DefinitionSchemas {
  readonly #definitions: Definitions;
  readonly #schemas = new Map<string, JsonSchema>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  schema(name: string): JsonSchema {
    const known = this.#schemas.get(name);
    if (known) return known;
    const own = opaqueSchemas[name];
    if (own) return own;
    return this.#structSchema(name);
  }

  #structSchema(name: string): JsonSchema {
    const { fields, isAtomic } = this.#definitions.get(name);
    const properties: Record<string, JsonSchema> = {};
    const schema: Mutable<JsonSchema> = { type: 'object', properties };
    if (isAtomic) schema['x-kubernetes-map-type'] = 'atomic';
    // Stored before its fields are built, because they may contain the definition itself.
    this.#schemas.set(name, schema);
    for (const field of fields) properties[field.name] = this.#fieldSchema(field);
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    if (required.length > 0) schema.required = required;
    return schema;
  }

  #fieldSchema(field: GoField): JsonSchema {
    const marks = fieldMarks(field);
    const schema = this.typeSchema(field.type);
    return Object.keys(marks).length === 0 ? schema : { ...schema, ...marks };
  }

  typeSchema(type: GoType): JsonSchema {
    switch (type.shape) {
      case 'list':
        return { type: 'array', items: this.typeSchema(elementOf(type)) };
      case 'map':
        return { type: 'object', additionalProperties: this.typeSchema(elementOf(type)) };
      case 'struct':
      case 'opaque':
        return this.schema(type.definition ?? '');
      case 'integer':
        return type.bits === 32 ? int32 : int64;
      case 'number':
        return { type: 'number', format: 'double' };
      case 'bytes':
        return { type: 'string', format: 'byte' };
      default:
        return type.shape === 'boolean' ? flag : text;
    }
  }
}

const text: JsonSchema = { type: 'string' };
const flag: JsonSchema = { type: 'boolean' };
const int32: JsonSchema = { type: 'integer', format: 'int32' };
const int64: JsonSchema = { type: 'integer', format: 'int64' };
const time: JsonSchema = { type: 'string', format: 'date-time', nullable: true };
const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

const opaqueSchemas: Readonly<Record<string, JsonSchema>> = {
  'resource.Quantity': { 'x-kubernetes-int-or-string': true },
  'intstr.IntOrString': { 'x-kubernetes-int-or-string': true },
  'meta.v1.Time': time,
  'meta.v1.MicroTime': time,
  'meta.v1.Duration': text,
  'meta.v1.FieldsV1': { type: 'object', ...anything },
  'runtime.RawExtension': { type: 'object', ...anything },
  'apiextensions.v1.JSON': anything,
  'apiextensions.v1.JSONSchemaPropsOrArray': anything,
  'apiextensions.v1.JSONSchemaPropsOrBool': anything,
  'apiextensions.v1.JSONSchemaPropsOrStringArray': anything,
};

export function elementOf(type: GoType): GoType {
  if (type.element === undefined) throw new Error(`${type.text} has no elements`);
  return type.element;
}

function fieldMarks(field: GoField): JsonSchema {
  const { listType, mapKeys, mergeKey, patchStrategy, values } = field;
  const isList = field.type.shape === 'list';
  return {
    ...(listType && isList && listType !== 'granular' ? { 'x-kubernetes-list-type': listType } : {}),
    ...(listType && !isList
      ? { 'x-kubernetes-map-type': listType === 'atomic' ? 'atomic' : 'granular' }
      : {}),
    ...(mapKeys ? { 'x-kubernetes-list-map-keys': mapKeys } : {}),
    ...(mergeKey ? { 'x-kubernetes-patch-merge-key': mergeKey } : {}),
    ...(patchStrategy ? { 'x-kubernetes-patch-strategy': patchStrategy } : {}),
    ...(values ? { enum: values } : {}),
    ...(field.default === undefined ? {} : { default: defaultValue(field) }),
    ...(isWrittenEmpty(field) ? { default: {} } : {}),
  };
}

/** A struct that is not a pointer is present even when empty. */
function isWrittenEmpty({ type, omitsZero }: GoField): boolean {
  return type.shape === 'struct' && !type.isPointer && !omitsZero;
}

/** The facts hold every default as a string. */
export function defaultValue({ type, default: text = '' }: GoField): Json {
  if (type.shape === 'integer' || type.shape === 'number') return Number(text);
  return type.shape === 'boolean' ? text === 'true' : text;
}
