import { fieldErrorText, type Json, type JsonSchema, validate } from '@karpenter/core/schema';
import { flaw, type Origin } from './origin.ts';

/** Shapes of objects that no CRD of ours describes, as far as planning reads them. */
export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
/** Far more pods than a cluster holds; a slip of the keyboard must not fill the memory. */
export const podCount: JsonSchema = { type: 'integer', minimum: 0, maximum: 1_000_000 };
export const number: JsonSchema = { type: 'number' };
export const anything: JsonSchema = { type: 'object' };
export const texts: JsonSchema = { type: 'object', additionalProperties: text };
/** A map of quantities, whose values are read one by one later. */
export const amounts: JsonSchema = { type: 'object' };

export function choice(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function shape(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, required };
}

/**
 * Reads a value as `T`, which the shape describes: the one place where input becomes typed. The first mistake
 * is told in the API server's words.
 */
export function readShape<T>(schema: JsonSchema, value: Json, origin: Origin, subject: string): T {
  const [error] = validate(schema, value);
  if (error !== undefined) {
    throw flaw('invalid-object', origin, `${subject} is invalid: ${fieldErrorText(error)}`);
  }
  return value as unknown as T;
}
