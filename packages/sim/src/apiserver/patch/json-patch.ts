import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { runAtOnce, StepCounter, type Steps, yieldTuning } from '@karpenter/core/yielding';
import { depthLimit } from '../decoding/index.ts';
import { StatusError } from '../status/status-error.ts';
import { CopiedBytes } from './copied-bytes.ts';
import { cannotUnmarshal, inapplicablePatch, malformedPatch } from './patch-refusal.ts';
import { finished, WorkingDocument } from './working-document.ts';

// The limit of kube-apiserver.
const operationLimit = 10_000;

/**
 * Applies the operations of RFC 6902; the result shares unchanged parts with the document. It departs from
 * the RFC where Kubernetes does: `replace` may set a member that does not exist, and negative indices count
 * from the end.
 */
export function applyJsonPatch(document: JsonObject, operations: Json): Json {
  return runAtOnce(jsonPatchInSteps(document, operations));
}

/** As `applyJsonPatch`, in steps. */
export function* jsonPatchInSteps(document: JsonObject, operations: Json): Steps<Json> {
  const working = new WorkingDocument(document);
  const copied = new CopiedBytes();
  const counter = new StepCounter();
  for (const operation of parseOperations(operations)) {
    perform(working, operation, copied);
    counter.spend(weightOf(operation));
    if (counter.endsStep()) yield;
  }
  const patched = working.finished();
  yield;
  requireDepth(patched);
  return patched;
}

/** In light items: one operation may copy or compare the whole document. */
function weightOf({ op }: JsonObject): number {
  return op === 'copy' || op === 'test' ? yieldTuning.lightItemsPerStep : 1;
}

/** Operations may put a deep value into a deep place; recursive functions process the result. */
function requireDepth(value: Json, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > depthLimit) throw inapplicablePatch();
  for (const each of Object.values(value)) requireDepth(each, depth + 1);
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

function perform(document: WorkingDocument, operation: JsonObject, copied: CopiedBytes): void {
  const value = operation['value'] ?? null;
  switch (operation['op']) {
    case 'add':
      document.add(pointer(operation, 'path'), value);
      break;
    case 'remove':
      document.take(pointer(operation, 'path'));
      break;
    case 'replace':
      replace(document, pointer(operation, 'path'), value);
      break;
    case 'move':
      document.add(pointer(operation, 'path'), document.take(pointer(operation, 'from')));
      break;
    case 'copy':
      document.add(pointer(operation, 'path'), copyOf(document, pointer(operation, 'from'), copied));
      break;
    case 'test':
      test(document, pointer(operation, 'path'), value);
      break;
    default:
      throw inapplicablePatch();
  }
}

function copyOf(document: WorkingDocument, path: readonly string[], copied: CopiedBytes): Json {
  const value = finished(document.read(path) ?? null);
  copied.count(value);
  return value;
}

function pointer(operation: JsonObject, name: 'path' | 'from'): readonly string[] {
  const text = operation[name];
  if (typeof text !== 'string') throw inapplicablePatch();
  if (text === '') return [];
  // The text before the first slash is ignored, as in kube-apiserver.
  const [, ...tokens] = text.split('/');
  // No value may be that deep, and a path has room for a million tokens.
  if (tokens.length === 0 || tokens.length > depthLimit + 2) throw inapplicablePatch();
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function replace(document: WorkingDocument, path: readonly string[], value: Json): void {
  if (path.length > 0) document.replace(path, value);
  else if (typeof value === 'object' && value !== null) document.replaceAll(value);
  else throw inapplicablePatch();
}

function test(document: WorkingDocument, path: readonly string[], expected: Json): void {
  const found = path.length === 0 ? document.finished() : finished(document.read(path) ?? null);
  if (!equalJson(found, expected)) throw inapplicablePatch();
}
