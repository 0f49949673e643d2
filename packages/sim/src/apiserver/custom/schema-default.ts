import { type FieldError, type JsonObject, type JsonSchema, prune, validate } from '@karpenter/core/schema';
import { patternMatcher } from '@karpenter/kube/patterns';

/**
 * A default must be valid under its own schema. Otherwise every object that omits the field would be
 * rejected.
 */
export function defaultProblems(schema: JsonObject & JsonSchema, path: string): FieldError[] {
  const value = schema['default'];
  if (value === undefined) return [];
  const field = `${path}.default`;
  if (prune(schema, value).unknownFields.length > 0) {
    return [{ type: 'Invalid', field, value, detail: 'must not have unknown fields' }];
  }
  return validate(schema, value, { patterns: patternMatcher }).map((error) => ({
    ...error,
    field: error.field === '' ? field : `${field}.${error.field}`,
  }));
}
