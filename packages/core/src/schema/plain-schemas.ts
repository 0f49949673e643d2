import type { JsonSchema } from './json-schema.ts';

/** Shorthands for schemas of data that no CustomResourceDefinition describes, such as files. */

export function choice(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}
