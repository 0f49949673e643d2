import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';

// Accessors that return an empty value where the type is not the expected one: for objects that were
// validated on the way in, or whose shape does not matter.

export function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
