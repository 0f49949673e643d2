import type { JsonSchema } from './json-schema.ts';

/** Schemas of objects that no definition describes, such as files. */

export function choice(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
