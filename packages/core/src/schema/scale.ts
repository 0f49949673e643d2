import type { CustomResourceVersion } from './custom-resource-definition.ts';
import type { FieldError } from './field-error.ts';
import { isInt64, numberText } from './go-text.ts';
import type { Json, JsonObject } from './json-schema.ts';
import { isJsonObject, member } from './json-value.ts';

const int32Max = 2 ** 31 - 1;

/** The scale subresource must find a replica count at the path of the definition. */
export function checkScale(version: CustomResourceVersion, object: JsonObject): FieldError[] {
  const scale = version.subresources?.scale;
  if (!scale) return [];
  return [
    ...checkReplicas(object, scale.specReplicasPath),
    ...checkReplicas(object, scale.statusReplicasPath),
  ];
}

function checkReplicas(object: JsonObject, path: string): FieldError[] {
  let value: Json | undefined = object;
  let reached = '';
  for (const name of path.split('.').filter((part) => part !== '')) {
    reached += `.${name}`;
    if (!isJsonObject(value))
      return [unreadable({ field: path, reached, value, expected: 'map[string]interface{}' })];
    value = member(value, name);
    if (value === undefined) return [];
  }
  return isInt64(value)
    ? checkCount(path, value)
    : [unreadable({ field: path, reached, value, expected: 'int64' })];
}

interface UnreadableValue {
  readonly field: string;
  readonly reached: string;
  readonly value: Json;
  readonly expected: string;
}

function unreadable({ field, reached, value, expected }: UnreadableValue): FieldError {
  const detail = `${reached} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${expected}`;
  return { type: 'Invalid', field, value: 0, detail };
}

function checkCount(field: string, count: number): FieldError[] {
  if (count < 0)
    return [{ type: 'Invalid', field, value: count, detail: 'should be a non-negative integer' }];
  if (count <= int32Max) return [];
  return [{ type: 'Invalid', field, value: count, detail: `should be less than or equal to ${int32Max}` }];
}

/** A value like Go's `%v` prints it. */
function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, entry]) => `${key}:${goText(entry)}`).join(' ')}]`;
}

function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return isInt64(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
