import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  maxReportedErrors,
  member,
} from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';
import { type FieldType, kindOf, type ListType, type MapType, memberType } from './field-type.ts';
import { itemElement } from './list-items.ts';
import { elementText } from './path-element.ts';

/**
 * Throws when the applied object has unknown fields, values of a wrong type or duplicate list items. The
 * message is that of structured-merge-diff, the library behind server-side apply in Kubernetes.
 */
export function checkApplied(type: FieldType, applied: JsonObject): void {
  const problems = problemsOf(type, applied);
  if (problems.length === 0) return;
  const text =
    problems.length === 1 ? problems[0] : `errors:\n${problems.map((line) => `  ${line}`).join('\n')}`;
  throw new StatusError(
    400,
    'BadRequest',
    `failed to create typed patch object (${identity(applied)}): ${text}`,
  );
}

function identity(object: JsonObject): string {
  const metadata = object['metadata'];
  const namespace = String(member(metadata, 'namespace') ?? '');
  const name = String(member(metadata, 'name') ?? '');
  return `${namespace}/${name}; ${typeText(object)}`;
}

/** Group, version and kind in Go's notation; the core group is empty. */
export function typeText(object: JsonObject): string {
  const apiVersion = String(object['apiVersion'] ?? '');
  const version = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `${version}, Kind=${String(object['kind'] ?? '')}`;
}

function problemsOf(type: FieldType, value: Json): readonly string[] {
  const kind = kindOf(type, value);
  if (value === null) return [];
  if (kind === 'map' && type.map !== undefined) return mapProblems(type.map, value);
  if (kind === 'list' && type.list !== undefined) return listProblems(type.list, value);
  return scalarProblems(type, value);
}

function mapProblems(map: MapType, value: Json): readonly string[] {
  if (!isJsonObject(value)) return [`: expected map, got ${goValue(value)}`];
  for (const name of Object.keys(value)) {
    if (!map.fields.has(name) && map.element === undefined) return [`.${name}: field not declared in schema`];
  }
  return Object.entries(value).flatMap(([name, entry]) =>
    problemsOf(memberType(map, name), entry).map((problem) => `.${name}${problem}`),
  );
}

function listProblems(list: ListType, value: Json): readonly string[] {
  if (!isJsonArray(value)) return [`: expected list, got ${goValue(value)}`];
  const seen = new Set<string>();
  const problems: string[] = [];
  for (const [index, item] of value.entries()) {
    const element = list.kind === 'atomic' ? `i:${index}` : itemElement(list, item);
    if (element === undefined) return [...problems, `: element ${index}: ${unidentified(list, item)}`];
    if (seen.has(element)) problems.push(`: duplicate entries for key ${elementText(element)}`);
    seen.add(element);
    for (const problem of problemsOf(list.item, item)) problems.push(`${elementText(element)}${problem}`);
    if (problems.length > maxReportedErrors) return problems;
  }
  return problems;
}

function unidentified(list: ListType, item: Json): string {
  if (list.kind === 'set') {
    if (item === null) return "associative list without keys has an element that's an explicit null";
    if (isJsonArray(item)) return 'not supported: associative list with lists as elements';
    return "associative list without keys has an element that's a map type";
  }
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isJsonObject(item)) return 'associative list with keys may not have non-map elements';
  const keys = list.keys.map(({ name }) => JSON.stringify(name)).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

function scalarProblems({ scalar }: FieldType, value: Json): readonly string[] {
  const isScalar = typeof value !== 'object';
  switch (scalar) {
    case 'numeric':
      return typeof value === 'number' ? [] : [`: expected numeric (int or float), got ${goTypeName(value)}`];
    case 'string':
      return typeof value === 'string' ? [] : [`: expected string, got ${goSyntax(value)}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`: expected boolean, got ${goValue(value)}`];
    default:
      return isScalar ? [] : [`: expected any scalar, got ${goValue(value)}`];
  }
}

function goTypeName(value: Json): string {
  if (isJsonArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** kube-apiserver prints its internal wrapper of the value. */
function goValue(value: Json): string {
  return `&{${goPlain(value)}}`;
}

function goSyntax(value: Json): string {
  const shown = typeof value === 'object' ? `${goTypeName(value)}{}` : String(value);
  return `&value.valueUnstructured{Value:${shown}}`;
}

function goPlain(value: Json): string {
  if (isJsonArray(value)) return `[${value.map(goPlain).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([name, entry]) => `${name}:${goPlain(entry)}`).join(' ')}]`;
}
