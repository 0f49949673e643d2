import type { JsonSchema } from '@karpenter/core/schema';

const known = new WeakMap<JsonSchema, JsonSchema>();

/**
 * A schema that refers to another wraps it in `allOf` to say more about the place, as in published OpenAPI documents;
 * this is both in one.
 */
export function effectiveSchema(schema: JsonSchema): JsonSchema {
  const [only, ...others] = schema.allOf ?? [];
  if (schema.type !== undefined || only === undefined || others.length > 0) return schema;
  const done = known.get(schema);
  if (done !== undefined) return done;
  const { allOf: _, ...place } = schema;
  const whole = { ...effectiveSchema(only), ...place };
  known.set(schema, whole);
  return whole;
}
