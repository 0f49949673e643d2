import type { JsonSchema } from '../schema/index.ts';
import type { FieldPath } from './converted-object.ts';

/** Returns the new schema of a field, which is `{}` where there was none; undefined removes the field. */
type SchemaChange = (field: JsonSchema) => JsonSchema | undefined;

/** A schema with one of its fields changed. A field that is removed is not required any more either. */
export function withSchemaField(schema: JsonSchema, path: FieldPath, change: SchemaChange): JsonSchema {
  const [key, ...rest] = path.map(String);
  if (key === undefined) return change(schema) ?? schema;
  const { [key]: field = {}, ...others } = schema.properties ?? {};
  const changed = rest.length === 0 ? change(field) : withSchemaField(field, rest, change);
  if (changed === undefined) return withOptional({ ...schema, properties: others }, key);
  return { ...schema, properties: { ...schema.properties, [key]: changed } };
}

/** A schema that does not require a field. */
export function withOptional(schema: JsonSchema, key: string): JsonSchema {
  const { required = [], ...rest } = schema;
  const others = required.filter((name) => name !== key);
  return others.length === 0 ? rest : { ...rest, required: others };
}

/** A schema without descriptions, which are those of the version that the fields were made for. */
export function withoutDescriptions(schema: JsonSchema): JsonSchema {
  const { description: _, properties, items, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, withoutDescriptions(field)]),
      ),
    }),
    ...(items && { items: withoutDescriptions(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : withoutDescriptions(additionalProperties),
    }),
  };
}
