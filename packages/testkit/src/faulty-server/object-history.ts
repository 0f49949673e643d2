import type { KubeObject } from '@karpenter/kube/client';

export interface HistoryEvent {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

/** The state of a kind at one resource version. */
export interface HistoryState {
  readonly version: number;
  readonly objects: readonly KubeObject[];
}

/** The complete history of the objects of one kind, in one order. */
export class ObjectHistory {
  readonly #objects = new Map<string, KubeObject>();
  readonly #events: HistoryEvent[] = [];
  readonly #moments = new Map<number, HistoryState>([[1, { version: 1, objects: [] }]]);
  readonly #listeners = new Set<(event: HistoryEvent) => void>();
  readonly #states = new Set<string>([stateText([])]);
  #version = 1;
  #compacted = 0;
  #uids = 0;

  get version(): number {
    return this.#version;
  }

  /** Events up to this version are compacted. */
  get compacted(): number {
    return this.#compacted;
  }

  now(): HistoryState {
    return this.at(this.#version);
  }

  at(version: number): HistoryState {
    const moment = this.#moments.get(version);
    if (moment === undefined) throw new Error(`there was no version ${version}`);
    return moment;
  }

  /** Whether the objects were the complete state at some version. */
  wasEver(objects: readonly KubeObject[]): boolean {
    return this.#states.has(stateText(objects));
  }

  after(version: number): readonly HistoryEvent[] {
    return this.#events.slice(Math.max(0, version - 1));
  }

  compact(): void {
    this.#compacted = this.#version;
  }

  listen(listener: (event: HistoryEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  has(name: string): boolean {
    return this.#objects.has(name);
  }

  /** Creates or updates the object. */
  write(name: string, value: string): void {
    const before = this.#objects.get(name);
    const uid = before?.metadata?.uid ?? `uid-${++this.#uids}`;
    this.#append(before === undefined ? 'ADDED' : 'MODIFIED', (resourceVersion) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default', uid, resourceVersion, labels: { value } },
    }));
  }

  remove(name: string): void {
    const before = this.#objects.get(name);
    if (before === undefined) return;
    this.#append('DELETED', (resourceVersion) => ({
      ...before,
      metadata: { ...before.metadata, resourceVersion },
    }));
  }

  #append(type: HistoryEvent['type'], make: (resourceVersion: string) => KubeObject): void {
    this.#version += 1;
    const object = make(String(this.#version));
    const name = object.metadata?.name ?? '';
    if (type === 'DELETED') this.#objects.delete(name);
    else this.#objects.set(name, object);
    const event: HistoryEvent = { version: this.#version, type, object };
    this.#events.push(event);
    const objects = [...this.#objects.values()];
    this.#moments.set(this.#version, { version: this.#version, objects });
    this.#states.add(stateText(objects));
    for (const listener of [...this.#listeners]) listener(event);
  }
}

function stateText(objects: readonly KubeObject[]): string {
  return objects
    .map(({ metadata }) => `${metadata?.name}@${metadata?.resourceVersion}`)
    .sort()
    .join();
}
