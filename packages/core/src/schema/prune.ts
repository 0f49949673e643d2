import { memberSchema } from './apply-defaults.ts';
import { childPath, itemPath } from './field-path.ts';
import type { Json, JsonObject, JsonSchema } from './json-schema.ts';
import { isJsonArray, isJsonObject, objectOf } from './json-value.ts';
import { objectMetaSchema } from './object-meta.ts';

export interface Pruned<T extends Json = Json> {
  readonly value: T;
  /** Paths of the dropped fields, those of metadata first, sorted: `spec.bogus`, `spec.taints[1].colour`. */
  readonly unknownFields: readonly string[];
}

/**
 * Removes fields that the schema does not know. The root of a custom resource, and an embedded resource, keep
 * `apiVersion`, `kind` and `metadata`.
 */
export function prune<T extends Json>(
  schema: JsonSchema,
  value: T,
  options?: { readonly isResource?: boolean; readonly path?: string },
): Pruned<T>;
export function prune(
  schema: JsonSchema,
  value: Json,
  { isResource = false, path = '' }: { readonly isResource?: boolean; readonly path?: string } = {},
): Pruned {
  const unknownFields: string[] = [];
  const root = isResource ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema;
  const pruned = pruneValue(root, value, { path, unknownFields });
  return { value: pruned, unknownFields: unknownFields.sort(byPath) };
}

/** Metadata first, then by path, as the API server reports unknown fields. */
function byPath(a: string, b: string): number {
  const inMeta = Number(b.startsWith('metadata.')) - Number(a.startsWith('metadata.'));
  return inMeta || (a < b ? -1 : 1);
}

interface Visit {
  readonly path: string;
  readonly unknownFields: string[];
}

function pruneValue(schema: JsonSchema, value: Json, visit: Visit): Json {
  if (isJsonArray(value)) return pruneArray(schema, value, visit);
  if (isJsonObject(value)) return pruneObject(schema, value, visit);
  return value;
}

function pruneArray(schema: JsonSchema, value: readonly Json[], visit: Visit): readonly Json[] {
  const items = schema.items ?? inheritedSchema(schema);
  if (!value.some(isContainer)) return value;
  const pruned = value.map((item, index) =>
    isContainer(item) ? pruneValue(items, item, { ...visit, path: itemPath(visit.path, index) }) : item,
  );
  return pruned.some((item, index) => item !== value[index]) ? pruned : value;
}

/** Only objects and lists have fields to prune. Long lists are mostly of strings and numbers, and are not copied. */
function isContainer(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

/** Below a value that the schema does not describe, only preserve-unknown-fields is inherited. */
function inheritedSchema(schema: JsonSchema): JsonSchema {
  return keepsUnknown(schema) ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
}

function keepsUnknown(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
}

function pruneObject(schema: JsonSchema, value: JsonObject, visit: Visit): JsonObject {
  const entries: [string, Json][] = [];
  let changed = false;
  for (const [name, given] of Object.entries(value)) {
    const path = childPath(visit.path, name);
    const known = knownMember(schema, name);
    if (known === undefined) {
      visit.unknownFields.push(path);
      changed = true;
      continue;
    }
    const pruned = pruneValue(known, given, { ...visit, path });
    changed ||= pruned !== given;
    entries.push([name, pruned]);
  }
  return changed ? objectOf(entries) : value;
}

const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

function knownMember(schema: JsonSchema, name: string): JsonSchema | undefined {
  if (schema['x-kubernetes-embedded-resource'] === true) {
    if (name === 'metadata') return objectMetaSchema;
    if (name === 'apiVersion' || name === 'kind') return anything;
  }
  return memberSchema(schema, name) ?? (keepsUnknown(schema) ? anything : undefined);
}
