import { isJsonObject, type JsonObject } from '@karpenter/core/schema';
import { textOf } from '../lenient-json.ts';

/** One object at one revision; immutable. Its JSON is encoded once and shared by all reads and watches. */
export class Entry {
  readonly collection: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** With `metadata.resourceVersion` set to the revision. */
  readonly object: JsonObject;
  #json: string | undefined;
  #bytes: number | undefined;

  constructor(collection: string, object: JsonObject, revision: number) {
    const metadata = metadataOf(object);
    this.collection = collection;
    this.namespace = textOf(metadata['namespace']);
    this.name = textOf(metadata['name']);
    this.revision = revision;
    this.object = withVersion(object, metadata, revision);
  }

  /** The sort key in lists, which is the key order of etcd. */
  get key(): string {
    return entryKey(this.namespace, this.name);
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.object);
    return this.#json;
  }

  /** Length of the JSON. */
  get bytes(): number {
    this.#bytes ??= this.json.length;
    return this.#bytes;
  }

  /** Frees the JSON of a replaced object. Old revisions are rarely read, and are encoded again then. */
  dropJson(): void {
    this.#json = undefined;
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
