import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { StatusError } from '../status/status-error.ts';
import { withMember, withoutMember } from './json-members.ts';
import { cannotUnmarshal, inapplicablePatch, malformedPatch } from './patch-refusal.ts';

// The limit of kube-apiserver.
const operationLimit = 10_000;

/**
 * Applies the operations of RFC 6902; the result shares unchanged parts with the document. It departs from
 * the RFC where Kubernetes does: `replace` may set a member that does not exist, and negative indices count
 * from the end.
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
  // The text before the first slash is ignored, as in kube-apiserver.
  const [, ...tokens] = text.split('/');
  if (tokens.length === 0) throw inapplicablePatch();
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type Change = (container: Json, key: string) => Json;

/** Changes the container of the last token, and copies everything on the path to it. */
function change(document: Json, path: readonly string[], apply: Change): Json {
  const [token, ...rest] = path;
  if (token === undefined) throw inapplicablePatch();
  if (rest.length === 0) return apply(document, token);
  const below = child(document, token);
  if (below === undefined || below === null) throw inapplicablePatch();
  return withChild(document, token, change(below, rest, apply));
}

function add(document: Json, path: readonly string[], value: Json): Json {
  return change(document, path, (container, key) => {
    if (!isJsonArray(container)) return withMember(objectContainer(container), key, value);
    const index = key === '-' ? container.length : arrayIndex(key, container.length + 1);
    return container.toSpliced(index, 0, value);
  });
}

function remove(document: Json, path: readonly string[]): Json {
  return change(document, path, (container, key) => {
    if (isJsonArray(container)) return container.toSpliced(arrayIndex(key, container.length), 1);
    const object = objectContainer(container);
    if (!Object.hasOwn(object, key)) throw inapplicablePatch();
    return withoutMember(object, key);
  });
}

function replace(document: Json, path: readonly string[], value: Json): Json {
  if (path.length === 0) {
    if (typeof value !== 'object' || value === null) throw inapplicablePatch();
    return value;
  }
  return change(document, path, (container, key) => withChild(container, key, value));
}

function test(document: Json, path: readonly string[], expected: Json): Json {
  const found = path.length === 0 ? document : (read(document, path) ?? null);
  if (!equalJson(found, expected)) throw inapplicablePatch();
  return document;
}

/** Undefined when the last token names no member; throws when an earlier one does not exist. */
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

function child(container: Json, token: string): Json | undefined {
  if (isJsonArray(container)) return container[arrayIndex(token, container.length)];
  const object = objectContainer(container);
  return Object.hasOwn(object, token) ? object[token] : undefined;
}

function withChild(container: Json, token: string, value: Json): Json {
  if (isJsonArray(container)) return container.with(arrayIndex(token, container.length), value);
  return withMember(objectContainer(container), token, value);
}

function objectContainer(container: Json): JsonObject {
  if (!isJsonObject(container)) throw inapplicablePatch();
  return container;
}

function arrayIndex(token: string, length: number): number {
  if (!/^[+-]?\d+$/.test(token)) throw inapplicablePatch();
  const written = Number(token);
  const index = written < 0 ? written + length : written;
  if (index < 0 || index >= length) throw inapplicablePatch();
  return index;
}
