import { fieldErrorText, type Json, type JsonSchema, validate } from '@karpenter/core/schema';
import { patternMatcher } from '@karpenter/kube/patterns';
import { inputError, type Origin } from './origin.ts';

export { choice, listOf } from '@karpenter/core/schema';

// Small JSON schemas for objects that none of our CRDs describes, covering only what planning reads.

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
/** More pods than any cluster holds. The limit keeps a typo in `replicas` from exhausting the memory. */
export const podCount: JsonSchema = { type: 'integer', minimum: 0, maximum: 1_000_000 };
export const number: JsonSchema = { type: 'number' };
export const anything: JsonSchema = { type: 'object' };
export const texts: JsonSchema = { type: 'object', additionalProperties: text };
/** A map of quantities. Their values may be numbers or strings; the quantity parser checks them later. */
export const amounts: JsonSchema = { type: 'object' };

export function shape(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, required };
}

interface ShapeSource {
  readonly origin: Origin;
  readonly subject: string;
}

/**
 * Validates a value and returns it as `T`; the caller guarantees that the schema describes `T`. The only place where
 * input becomes typed. Throws `invalid-object` with the first error in the wording of the API server.
 */
export function readShape<T>(schema: JsonSchema, value: Json, { origin, subject }: ShapeSource): T {
  const [error] = validate(schema, value, { patterns: patternMatcher });
  if (error !== undefined) {
    throw inputError('invalid-object', origin, `${subject} is invalid: ${fieldErrorText(error)}`);
  }
  return value as unknown as T;
}
