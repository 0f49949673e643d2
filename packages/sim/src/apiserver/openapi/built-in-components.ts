import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import type { Definitions } from '../kinds/definitions/definitions.ts';
import type { GoField, GoType } from '../kinds/definitions/go-type.ts';
import { defaultValue, elementOf } from '../kinds/definitions/schema.ts';
import { componentReference, definitionComponent } from './component-names.ts';

/** OpenAPI schemas of Go types with custom JSON encoding. */
const opaqueComponents: Readonly<Record<string, JsonObject>> = {
  'resource.Quantity': { oneOf: [{ type: 'string' }, { type: 'number' }] },
  'intstr.IntOrString': { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  'meta.v1.Time': { type: 'string', format: 'date-time' },
  'meta.v1.MicroTime': { type: 'string', format: 'date-time' },
  'meta.v1.Duration': { type: 'string' },
  'meta.v1.FieldsV1': { type: 'object' },
  'runtime.RawExtension': { type: 'object' },
};

/** Adds a definition to the components of a document, with all definitions it references. */
export function addDefinition(
  definitions: Definitions,
  name: string,
  components: Map<string, JsonObject>,
): void {
  const component = definitionComponent(name);
  if (components.has(component)) return;
  const opaque = opaqueComponents[name];
  if (opaque || name.startsWith('apiextensions.v1.JSONSchemaPropsOr') || name === 'apiextensions.v1.JSON') {
    components.set(component, opaque ?? {});
    return;
  }
  const { fields, isAtomic } = definitions.get(name);
  const required = fields.filter(({ isRequired }) => isRequired).map((field) => field.name);
  const properties = Object.fromEntries(fields.map((field) => [field.name, property(field)]));
  components.set(component, {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(fields.length === 0 ? {} : { properties }),
    ...(isAtomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  });
  for (const { type } of fields) addParts(definitions, type, components);
}

function addParts(definitions: Definitions, type: GoType, components: Map<string, JsonObject>): void {
  if (type.element) addParts(definitions, type.element, components);
  else if (type.definition !== undefined) addDefinition(definitions, type.definition, components);
}

function property(field: GoField): JsonObject {
  const { type, listType, mapKeys, mergeKey, patchStrategy, values } = field;
  const isList = type.shape === 'list' || type.shape === 'bytes';
  return {
    ...withElementValues(described(type), field),
    ...initial(field),
    ...(values ? { enum: values } : {}),
    ...(mapKeys ? { 'x-kubernetes-list-map-keys': mapKeys } : {}),
    ...(listType ? { [isList ? 'x-kubernetes-list-type' : 'x-kubernetes-map-type']: listType } : {}),
    ...(mergeKey ? { 'x-kubernetes-patch-merge-key': mergeKey } : {}),
    ...(patchStrategy ? { 'x-kubernetes-patch-strategy': patchStrategy } : {}),
  };
}

function withElementValues(schema: JsonObject, { type, elementValues }: GoField): JsonObject {
  const keyword = type.shape === 'list' ? 'items' : 'additionalProperties';
  const elements = schema[keyword];
  return elementValues && isJsonObject(elements)
    ? { ...schema, [keyword]: { ...elements, enum: elementValues } }
    : schema;
}

function initial(field: GoField): JsonObject {
  const { type, isKept } = field;
  if (field.default !== undefined) return { default: defaultValue(field) };
  if (type.isPointer) return {};
  if (type.shape === 'struct') return { default: {} };
  return isKept ? zero(type) : {};
}

const zeros: Readonly<Partial<Record<GoType['shape'], Json>>> = {
  string: '',
  boolean: false,
  integer: 0,
  number: 0,
};

function zero({ shape }: GoType): JsonObject {
  const value = zeros[shape];
  return value === undefined ? {} : { default: value };
}

function described(type: GoType): JsonObject {
  switch (type.shape) {
    case 'list':
      return { type: 'array', items: element(elementOf(type)) };
    case 'map':
      return { type: 'object', additionalProperties: element(elementOf(type)) };
    case 'struct':
    case 'opaque':
      return { allOf: [componentReference(definitionComponent(type.definition ?? ''))] };
    case 'integer':
      return { type: 'integer', format: `int${type.bits}` };
    case 'number':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    default:
      return { type: type.shape };
  }
}

function element(type: GoType): JsonObject {
  if (type.isPointer) return described(type);
  if (type.shape === 'struct') return { ...described(type), default: {} };
  return { ...described(type), ...zero(type) };
}
