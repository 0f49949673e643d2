import type { JsonSchema } from '@karpenter/core/schema';

const known = new WeakMap<JsonSchema, JsonSchema>();

/**
 * Resolves a schema that wraps a reference in `allOf` to add a description or default, as published OpenAPI
 * documents do, into one schema. Results are cached, because validation needs the same schemas again and again.
 */
export function effectiveSchema(schema: JsonSchema): JsonSchema {
  const [only, ...others] = schema.allOf ?? [];
  if (schema.type !== undefined || only === undefined || others.length > 0) return schema;
  const done = known.get(schema);
  if (done !== undefined) return done;
  const { allOf: _, ...place } = schema;
  const merged = { ...effectiveSchema(only), ...place };
  known.set(schema, merged);
  return merged;
}
