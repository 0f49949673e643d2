import { isJsonObject, type JsonObject } from '@karpenter/core/schema';
import { textOf } from '../lenient-json.ts';
import { type CompressedText, decompress, type TextCompressor } from './compressed-text.ts';

/**
 * One object at one revision; immutable. Its JSON is encoded once and shared by all reads and watches. An entry that
 * is rarely read keeps only that, which may be compressed: the parsed object takes several times the memory (ADR 0070).
 */
export class Entry {
  readonly collection: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  #object: JsonObject | undefined;
  /** The parsed object of a compact entry while it is referenced, because readers compare objects by identity. */
  #parsed: WeakRef<JsonObject> | undefined;
  #json: string | CompressedText | undefined;
  #bytes: number | undefined;

  constructor(collection: string, object: JsonObject, revision: number) {
    const metadata = metadataOf(object);
    this.collection = collection;
    this.namespace = textOf(metadata['namespace']);
    this.name = textOf(metadata['name']);
    this.revision = revision;
    this.#object = withVersion(object, metadata, revision);
  }

  /** The sort key in lists, which is the key order of etcd. */
  get key(): string {
    return entryKey(this.namespace, this.name);
  }

  /** With `metadata.resourceVersion` set to the revision. */
  get object(): JsonObject {
    return this.#object ?? this.#parsed?.deref() ?? this.#parse();
  }

  /** Each read of a compressed entry decompresses it. */
  get json(): string {
    this.#json ??= JSON.stringify(this.#object);
    return typeof this.#json === 'string' ? this.#json : decompress(this.#json);
  }

  /** Length of the JSON. */
  get bytes(): number {
    this.#bytes ??= this.json.length;
    return this.#bytes;
  }

  /** Whether the JSON may contain this text. Searches only compact entries, as a filter that avoids parsing them. */
  mayContain(encoded: string): boolean {
    return this.#object !== undefined || this.json.includes(encoded);
  }

  /** Frees the parsed object and, with a compressor, the plain JSON. Later reads recreate them. */
  compact(compressor?: TextCompressor): void {
    if (this.#object === undefined) return;
    this.#bytes = this.bytes;
    this.#json = compressor?.compress(this.json) ?? this.json;
    this.#object = undefined;
  }

  #parse(): JsonObject {
    const parsed: JsonObject = JSON.parse(this.json);
    this.#parsed = new WeakRef(parsed);
    return parsed;
  }
}

export function entryKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

export function metadataOf(object: JsonObject): JsonObject {
  const { metadata } = object;
  return metadata !== undefined && isJsonObject(metadata) ? metadata : {};
}

function withVersion(object: JsonObject, metadata: JsonObject, revision: number): JsonObject {
  return { ...object, metadata: { ...metadata, resourceVersion: String(revision) } };
}
