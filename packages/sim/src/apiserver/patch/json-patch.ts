import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';
import { withMember, withoutMember } from './json-members.ts';
import { cannotUnmarshal, inapplicablePatch, malformedPatch } from './patch-refusal.ts';

const operationLimit = 10_000;

/**
 * The document after the operations of RFC 6902, sharing what they leave alone. Where Kubernetes departs from the
 * RFC, so does this: an object's member may be replaced before it exists, and negative indices count from the end.
 */
export function applyJsonPatch(document: JsonObject, operations: Json): Json {
  return parseOperations(operations).reduce<Json>((value, operation) => perform(value, operation), document);
}

function parseOperations(operations: Json): readonly JsonObject[] {
  if (!isJsonArray(operations)) throw notOf(operations, 'value of type []handlers.jsonPatchOp');
  if (operations.length > operationLimit) throw tooMany(operations.length);
  return operations.map(parseOperation);
}

function parseOperation(operation: Json): JsonObject {
  if (!isJsonObject(operation)) throw notOf(operation, 'value of type handlers.jsonPatchOp');
  for (const name of ['op', 'from', 'path']) {
    const value = operation[name] ?? '';
    if (typeof value !== 'string') throw notOf(value, `struct field jsonPatchOp.${name} of type string`);
  }
  return operation;
}

function notOf(value: Json, target: string): StatusError {
  return malformedPatch(`error decoding patch: ${cannotUnmarshal(value, target)}`);
}

function tooMany(count: number): StatusError {
  const message = `The allowed maximum operations in a JSON patch is ${operationLimit}, got ${count}`;
  return new StatusError(413, 'RequestEntityTooLarge', message);
}

function perform(document: Json, operation: JsonObject): Json {
  switch (operation['op']) {
    case 'add':
      return add(document, pointer(operation, 'path'), operation['value'] ?? null);
    case 'remove':
      return remove(document, pointer(operation, 'path'));
    case 'replace':
      return replace(document, pointer(operation, 'path'), operation['value'] ?? null);
    case 'move': {
      const from = pointer(operation, 'from');
      const moved = read(document, from) ?? null;
      return add(remove(document, from), pointer(operation, 'path'), moved);
    }
    case 'copy':
      return add(document, pointer(operation, 'path'), read(document, pointer(operation, 'from')) ?? null);
    case 'test':
      return test(document, pointer(operation, 'path'), operation['value'] ?? null);
    default:
      throw inapplicablePatch();
  }
}

function pointer(operation: JsonObject, name: 'path' | 'from'): readonly string[] {
  const text = operation[name];
  if (typeof text !== 'string') throw inapplicablePatch();
  if (text === '') return [];
  // What stands before the first slash is not looked at, as in the real server.
  const [, ...tokens] = text.split('/');
  if (tokens.length === 0) throw inapplicablePatch();
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type Change = (holder: Json, key: string) => Json;

/** The document with the holder of the last token changed, and everything on the way to it copied. */
function change(document: Json, path: readonly string[], apply: Change): Json {
  const [token, ...rest] = path;
  if (token === undefined) throw inapplicablePatch();
  if (rest.length === 0) return apply(document, token);
  const below = child(document, token);
  if (below === undefined || below === null) throw inapplicablePatch();
  return withChild(document, token, change(below, rest, apply));
}

function add(document: Json, path: readonly string[], value: Json): Json {
  return change(document, path, (holder, key) => {
    if (!isJsonArray(holder)) return withMember(objectHolder(holder), key, value);
    const index = key === '-' ? holder.length : arrayIndex(key, holder.length + 1);
    return holder.toSpliced(index, 0, value);
  });
}

function remove(document: Json, path: readonly string[]): Json {
  return change(document, path, (holder, key) => {
    if (isJsonArray(holder)) return holder.toSpliced(arrayIndex(key, holder.length), 1);
    const object = objectHolder(holder);
    if (!Object.hasOwn(object, key)) throw inapplicablePatch();
    return withoutMember(object, key);
  });
}

function replace(document: Json, path: readonly string[], value: Json): Json {
  if (path.length === 0) {
    if (typeof value !== 'object' || value === null) throw inapplicablePatch();
    return value;
  }
  return change(document, path, (holder, key) => withChild(holder, key, value));
}

function test(document: Json, path: readonly string[], expected: Json): Json {
  const found = path.length === 0 ? document : (read(document, path) ?? null);
  if (!equalJson(found, expected)) throw inapplicablePatch();
  return document;
}

/** Undefined where the last token names no member; anything else that is missing is an error. */
function read(document: Json, path: readonly string[]): Json | undefined {
  const last = path.length - 1;
  if (last < 0) throw inapplicablePatch();
  return path.reduce<Json | undefined>((value, token, position) => {
    if (value === undefined || value === null) throw inapplicablePatch();
    const found = child(value, token);
    if (found === undefined && position < last) throw inapplicablePatch();
    return found;
  }, document);
}

function child(holder: Json, token: string): Json | undefined {
  if (isJsonArray(holder)) return holder[arrayIndex(token, holder.length)];
  const object = objectHolder(holder);
  return Object.hasOwn(object, token) ? object[token] : undefined;
}

function withChild(holder: Json, token: string, value: Json): Json {
  if (isJsonArray(holder)) return holder.with(arrayIndex(token, holder.length), value);
  return withMember(objectHolder(holder), token, value);
}

function objectHolder(holder: Json): JsonObject {
  if (!isJsonObject(holder)) throw inapplicablePatch();
  return holder;
}

function arrayIndex(token: string, length: number): number {
  if (!/^[+-]?\d+$/.test(token)) throw inapplicablePatch();
  const written = Number(token);
  const index = written < 0 ? written + length : written;
  if (index < 0 || index >= length) throw inapplicablePatch();
  return index;
}
