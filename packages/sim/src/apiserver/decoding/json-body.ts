import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import type { Steps } from '@karpenter/core/yielding';
import { StatusError } from '../status/status-error.ts';
import { unrecognizedBody, unusableBody } from './body-refusal.ts';
import { depthLimit, scanJson } from './json-scan.ts';

export interface DecodedBody {
  readonly object: JsonObject;
  /** Errors of strict field validation, and warnings otherwise, such as `duplicate field "spec.x"`. */
  readonly strictErrors: readonly string[];
}

// Invalid UTF-8 becomes U+FFFD, as in kube-apiserver.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a JSON body in steps; `kind` is the kind of the path, for error messages. */
export function* decodeJson(body: Uint8Array, kind: string): Steps<DecodedBody> {
  const text = decoder.decode(body);
  const { value, problem, members } = yield* parsedJson(text);
  if (problem !== undefined || value === undefined) throw noKind(kind, body, problem ?? '');
  if (!isJsonObject(value)) throw noKind(kind, body, notTypeMeta(value));
  const infinite = infiniteNumber(value, text);
  if (infinite !== undefined) {
    const message = `json: cannot unmarshal number ${infinite} into Go value of type float64`;
    throw unusableBody(kind, String(value['apiVersion'] ?? ''), message);
  }
  yield;
  return { object: value, strictErrors: yield* duplicateFields(text, value, members) };
}

/** The JSON of a patch, which need not be an object. */
export function* decodePatch(
  body: Uint8Array,
): Steps<{ readonly patch: Json; readonly strictErrors: readonly string[] }> {
  const text = decoder.decode(body);
  const { value, problem, members } = yield* parsedJson(text);
  if (problem !== undefined || value === undefined) {
    throw new StatusError(400, 'BadRequest', `error decoding patch: ${problem}`);
  }
  return { patch: value, strictErrors: yield* duplicateFields(text, value, members) };
}

/**
 * Parses YAML that is JSON, which is a hundred times faster than the YAML parser: kubectl sends JSON as YAML. Undefined
 * for any other text, and where JSON and YAML differ, as for duplicate members.
 */
export function* plainJson(text: string): Steps<JsonObject | undefined> {
  if (!text.startsWith('{')) return undefined;
  const { value, problem, members } = yield* parsedJson(text);
  yield;
  if (problem !== undefined || !isJsonObject(value)) return undefined;
  return members === countMembers(value) && !hasInfinity(value) ? value : undefined;
}

function noKind(kind: string, body: Uint8Array, problem: string): StatusError {
  return unrecognizedBody(kind, body, `couldn't get version/kind; json parse error: ${problem}`);
}

function notTypeMeta(value: Json): string {
  const found = isJsonArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const target = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;
  return `json: cannot unmarshal ${found} into Go value of type ${target}`;
}

interface ParsedJson {
  readonly value?: Json;
  readonly problem?: string;
  /** Number of members in the text, duplicates included. */
  readonly members: number;
}

function* parsedJson(text: string): Steps<ParsedJson> {
  const { depth, members } = structure(text);
  yield;
  if (depth > depthLimit) return { members, problem: yield* problemOf(text, 'exceeded max depth') };
  try {
    const value: Json = JSON.parse(text);
    return { members, value };
  } catch (error) {
    return { members, problem: yield* problemOf(text, String(error)) };
  }
}

function* problemOf(text: string, otherwise: string): Steps<string> {
  return (yield* scanJson(text)).problem ?? otherwise;
}

/**
 * Nesting depth and number of members of the text. If the parsed value has fewer members, some names were
 * duplicates. Counting is much faster than searching for them.
 */
function structure(text: string): { readonly depth: number; readonly members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === 0x22) position = stringEnd(text, position);
    else if (code === 0x3a) members += 1;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { depth: deepest, members };
}

/** Position of the closing quote: the next one after an even number of backslashes. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function* duplicateFields(text: string, value: Json, members: number): Steps<readonly string[]> {
  if (members === countMembers(value)) return [];
  yield;
  const { duplicates } = yield* scanJson(text);
  return duplicates.map((path) => `duplicate field "${path}"`);
}

function countMembers(value: Json): number {
  let count = 0;
  if (isJsonArray(value)) for (const item of value) count += countMembers(item);
  else if (isJsonObject(value)) {
    for (const name in value) count += 1 + countMembers(value[name] ?? null);
  }
  return count;
}

/** The first number in the text that exceeds a float64. */
function infiniteNumber(value: Json, text: string): string | undefined {
  if (!hasInfinity(value)) return undefined;
  const numbers = text.replace(/"(?:[^"\\]|\\.)*"/gs, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.find((number) => !Number.isFinite(Number(number)));
}

function hasInfinity(value: Json): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return false;
  if (isJsonArray(value)) return value.some(hasInfinity);
  for (const name in value) if (hasInfinity(value[name] ?? null)) return true;
  return false;
}
