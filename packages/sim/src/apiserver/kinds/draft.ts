import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';

/** A mutable object under construction: just decoded, and not shared. */
export type Draft = { [name: string]: Json };

export function objectAt(object: Json | undefined, ...path: readonly string[]): Draft | undefined {
  const value = valueAt(object, ...path);
  return isJsonObject(value) ? value : undefined;
}

export function valueAt(object: Json | undefined, ...path: readonly string[]): Json | undefined {
  let value = object;
  for (const name of path)
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

export function listAt(object: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const value = valueAt(object, ...path);
  return isJsonArray(value) ? value : [];
}

export function objectsAt(object: Json | undefined, ...path: readonly string[]): readonly Draft[] {
  return listAt(object, ...path).filter(isJsonObject);
}

/** Empty when absent, as in Go. */
export function textAt(object: Json | undefined, ...path: readonly string[]): string {
  const value = valueAt(object, ...path);
  return typeof value === 'string' ? value : '';
}

export function numberAt(object: Json | undefined, ...path: readonly string[]): number | undefined {
  const value = valueAt(object, ...path);
  return typeof value === 'number' ? value : undefined;
}

export function flagAt(object: Json | undefined, ...path: readonly string[]): boolean {
  return valueAt(object, ...path) === true;
}

/** The string values of a map such as labels. Its keys come from clients, so no property is inherited. */
export function textsAt(
  object: Json | undefined,
  ...path: readonly string[]
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = Object.create(null);
  for (const [name, text] of Object.entries(objectAt(object, ...path) ?? {}))
    if (typeof text === 'string') texts[name] = text;
  return texts;
}

/** A deep mutable copy. JSON needs nothing of what makes `structuredClone` slow. */
function copyOf<T extends Json>(value: T): T;
function copyOf(value: Json): Json {
  if (isJsonArray(value)) return value.map(copyOf);
  return isJsonObject(value) ? draftOf(value) : value;
}

export function draftOf(object: JsonObject): Draft {
  const draft: Draft = { ...object };
  for (const name in draft) {
    const value = draft[name];
    if (typeof value === 'object' && value !== null) draft[name] = copyOf(value);
  }
  return draft;
}

/** Sets the field if it is absent. An empty string counts as absent, because Go does not distinguish them. */
export function fill(object: Draft, values: Readonly<Record<string, Json>>): void {
  for (const name in values) {
    const given = object[name];
    const value = values[name];
    if (value === undefined) continue;
    if (given === undefined || given === null || given === '') object[name] = copyOf(value);
  }
}

/** The object of that name; creates it if absent. */
export function ensureObject(object: Draft, name: string): Draft {
  const present = objectAt(object, name);
  if (present) return present;
  const made: Draft = {};
  object[name] = made;
  return made;
}
