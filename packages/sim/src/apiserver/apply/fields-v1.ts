import { isJsonObject, type Json } from '@karpenter/core/schema';
import { type FieldSet, hasChildren, isMember, leaf, self } from './field-set.ts';
import { elementJson } from './path-element.ts';

/**
 * Parses `fieldsV1` from a client into a set with canonical path elements; undefined when it is malformed.
 * Unknown kinds of elements are dropped, since a later API version may define them.
 */
export function parseFieldsV1(json: Json | undefined): FieldSet | undefined {
  if (!isJsonObject(json ?? {})) return undefined;
  const root = parseNode(json ?? {});
  if (root === undefined) return undefined;
  const { [self]: _, ...rest } = root;
  return rest;
}

function parseNode(json: Json): FieldSet | undefined {
  if (!isJsonObject(json)) return undefined;
  const result: Record<string, FieldSet> = {};
  for (const [key, content] of Object.entries(json)) {
    const element = key === self ? self : canonicalElement(key);
    if (element === undefined) return undefined;
    if (element === '') continue;
    const below = element === self ? leaf : parseNode(content);
    if (below === undefined) return undefined;
    result[element] = isMember(below) && !hasChildren(below) ? leaf : below;
  }
  return result;
}

/** Empty for an unknown kind of element; undefined for a malformed one. */
function canonicalElement(key: string): string | undefined {
  if (key.charAt(1) !== ':') return undefined;
  const kind = key.charAt(0);
  const content = key.slice(2);
  if (kind === 'f') return key;
  if (kind === 'i') return /^-?\d+$/.test(content) ? key : undefined;
  if (kind !== 'k' && kind !== 'v') return '';
  const value = parsedJson(content);
  if (value === undefined) return undefined;
  if (kind === 'v') return `v:${elementJson(value)}`;
  return isJsonObject(value) ? keyElement(Object.entries(value)) : undefined;
}

/** The path element of a list item with these keys. */
function keyElement(members: readonly (readonly [string, Json])[]): string {
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `k:{${sorted.map(([name, value]) => `${elementJson(name)}:${elementJson(value)}`).join(',')}}`;
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
