import { isJsonArray, isJsonObject, type Json } from '@karpenter/core/schema';
import { depthLimit } from '../decoding/index.ts';
import { ChunkedList } from './chunked-list.ts';
import { inapplicablePatch } from './patch-refusal.ts';

/** An object or a list that a patch has changed. */
type Container = Map<string, Working> | ChunkedList<Working>;
type Working = Json | Container;

/**
 * A document while a JSON patch changes it. A container becomes mutable when an operation first changes it,
 * which copies its members once; the rest stays shared with the original. So the work of a patch grows with its
 * operations and the containers on their paths, not with their product.
 */
export class WorkingDocument {
  #root: Working;

  constructor(document: Json) {
    this.#root = document;
  }

  /** The document as JSON. Without changes it is the original. */
  finished(): Json {
    return finished(this.#root);
  }

  replaceAll(value: Json): void {
    this.#root = value;
  }

  /** Undefined when the last token names no member; throws when an earlier one does not exist. */
  read(path: readonly string[]): Working | undefined {
    const last = path.length - 1;
    if (last < 0) throw inapplicablePatch();
    return path.reduce<Working | undefined>((value, token, position) => {
      if (value === undefined || value === null) throw inapplicablePatch();
      const found = child(value, token);
      if (found === undefined && position < last) throw inapplicablePatch();
      return found;
    }, this.#root);
  }

  add(path: readonly string[], value: Working): void {
    const { container, key } = this.#place(path);
    if (container instanceof Map) container.set(key, value);
    else container.insert(key === '-' ? container.length : arrayIndex(key, container.length + 1), value);
  }

  /** Removes the value and returns it. */
  take(path: readonly string[]): Working {
    const { container, key } = this.#place(path);
    const found = child(container, key);
    if (found === undefined) throw inapplicablePatch();
    if (container instanceof Map) container.delete(key);
    else container.remove(arrayIndex(key, container.length));
    return found;
  }

  replace(path: readonly string[], value: Json): void {
    const { container, key } = this.#place(path);
    setChild(container, key, value);
  }

  /** The container of the last token, mutable. */
  #place(path: readonly string[]): { readonly container: Container; readonly key: string } {
    const key = path.at(-1);
    if (key === undefined) throw inapplicablePatch();
    let container = mutable(this.#root);
    this.#root = container;
    for (const token of path.slice(0, -1)) {
      const found = child(container, token);
      if (found === undefined || found === null) throw inapplicablePatch();
      const next = mutable(found);
      if (next !== found) setChild(container, token, next);
      container = next;
    }
    return { container, key };
  }
}

/** The value as JSON. Throws where operations have nested it deeper than a body may be. */
export function finished(value: Working, depth = 0): Json {
  if (depth > depthLimit) throw inapplicablePatch();
  if (value instanceof Map) {
    const members = Array.from(value, ([name, each]) => [name, finished(each, depth + 1)] as const);
    return Object.fromEntries(members);
  }
  return value instanceof ChunkedList ? value.items().map((item) => finished(item, depth + 1)) : value;
}

function mutable(value: Working): Container {
  if (value instanceof Map || value instanceof ChunkedList) return value;
  if (isJsonArray(value)) return new ChunkedList<Working>(value);
  if (isJsonObject(value)) return new Map<string, Working>(Object.entries(value));
  throw inapplicablePatch();
}

function child(value: Working, token: string): Working | undefined {
  if (value instanceof Map) return value.get(token);
  if (value instanceof ChunkedList) return value.at(arrayIndex(token, value.length));
  if (isJsonArray(value)) return value[arrayIndex(token, value.length)];
  if (!isJsonObject(value)) throw inapplicablePatch();
  return Object.hasOwn(value, token) ? value[token] : undefined;
}

function setChild(container: Container, token: string, value: Working): void {
  if (container instanceof Map) container.set(token, value);
  else container.set(arrayIndex(token, container.length), value);
}

/** Negative indices count from the end, as in kube-apiserver. */
function arrayIndex(token: string, length: number): number {
  if (!/^[+-]?\d+$/.test(token)) throw inapplicablePatch();
  const written = Number(token);
  const index = written < 0 ? written + length : written;
  if (index < 0 || index >= length) throw inapplicablePatch();
  return index;
}
