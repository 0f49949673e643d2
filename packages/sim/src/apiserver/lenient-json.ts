import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';

// What a value holds where it is of the kind expected, and nothing where it is not: for objects whose shape was
// checked when they came in, or does not matter.

export function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
