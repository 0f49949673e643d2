import { isJsonObject, type JsonObject } from '@karpenter/core/schema';
import { textOf } from '../lenient-json.ts';

/** One object at one revision. Its JSON is made once and then sent to everyone who asks. */
export class Entry {
  readonly collection: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** With `metadata.resourceVersion` set to the revision. */
  readonly object: JsonObject;
  #json: string | undefined;

  constructor(collection: string, object: JsonObject, revision: number) {
    const metadata = metadataOf(object);
    this.collection = collection;
    this.namespace = textOf(metadata['namespace']);
    this.name = textOf(metadata['name']);
    this.revision = revision;
    this.object = withVersion(object, metadata, revision);
  }

  /** Where the object stands in lists: the order in which etcd keeps its keys. */
  get key(): string {
    return entryKey(this.namespace, this.name);
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.object);
    return this.#json;
  }

  /** Hardly anybody asks for what was replaced; whoever does has it made again. */
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
