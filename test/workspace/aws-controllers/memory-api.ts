import { isDeepStrictEqual } from 'node:util';
import { formatTimestamp } from '@karpenter/core/api';
import type { CacheChange, WatchCache } from '@karpenter/kube/cache';
import {
  ApiError,
  type DeleteOptions,
  type Kind,
  type KubeObject,
  type KubeWriter,
  type Metadata,
  type ObjectKey,
  type Patch,
  type WriteOptions,
} from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';

/** Objects of one kind: as stored, and as a cache that may lag behind shows them. */
export class MemoryKind<T extends KubeObject> implements WatchCache<T> {
  readonly synced = true;
  readonly stored = new Map<string, T>();
  readonly #shown = new Map<string, T>();
  readonly #indexes = new Map<string, (object: T) => readonly string[]>();
  readonly #listeners = new Set<(change: CacheChange<T>) => void>();
  readonly #late: (() => void)[] = [];
  #isHeld = false;

  async waitForSync(): Promise<void> {}

  get({ name }: ObjectKey): T | undefined {
    return this.#shown.get(name);
  }

  list(): readonly T[] {
    return [...this.#shown.values()];
  }

  byIndex(index: string, value: string): readonly T[] {
    const valuesOf = this.#indexes.get(index);
    return this.list().filter((object) => valuesOf?.(object).includes(value));
  }

  addIndex(index: string, valuesOf: (object: T) => readonly string[]): void {
    if (!this.#indexes.has(index)) this.#indexes.set(index, valuesOf);
  }

  subscribe(listener: (change: CacheChange<T>) => void): () => void {
    for (const object of this.list()) listener({ type: 'added', object });
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The cache follows every change from now on. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const show of this.#late.splice(0)) show();
  }

  store(name: string, object: T): void {
    this.stored.set(name, object);
    this.#follow(() => this.#show(name, object));
  }

  drop(name: string): void {
    this.stored.delete(name);
    this.#follow(() => this.#hide(name));
  }

  #follow(show: () => void): void {
    if (this.#isHeld) this.#late.push(show);
    else show();
  }

  #show(name: string, object: T): void {
    const previous = this.#shown.get(name);
    this.#shown.set(name, object);
    this.#notify(previous === undefined ? { type: 'added', object } : { type: 'modified', object, previous });
  }

  #hide(name: string): void {
    const object = this.#shown.get(name);
    this.#shown.delete(name);
    if (object !== undefined) this.#notify({ type: 'deleted', object, previous: object });
  }

  #notify(change: CacheChange<T>): void {
    for (const listener of this.#listeners) listener(change);
  }
}

/** An API server in memory with resource versions, generations, finalizers and optimistic locking. */
export class MemoryApi implements Pick<KubeWriter, 'create' | 'patch' | 'delete'> {
  /** Writes such as `patch EC2NodeClass/default status`, in order, rejected ones included. */
  readonly writes: string[] = [];
  readonly #clock: Pick<Clock, 'now'>;
  readonly #kinds = new Map<string, MemoryKind<KubeObject>>();
  #version = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Stored by kind, so the objects have the type of the requested kind. */
  of<T extends KubeObject>({ plural }: Kind<T>): MemoryKind<T> {
    const found = this.#kinds.get(plural) ?? new MemoryKind<KubeObject>();
    this.#kinds.set(plural, found);
    return found as unknown as MemoryKind<T>;
  }

  /** Writes as another client: status included, without checks. */
  put<T extends KubeObject>(kind: Kind<T>, object: T): T {
    const name = nameOf(object);
    const before = this.of(kind).stored.get(name);
    const creationTimestamp = before?.metadata?.creationTimestamp ?? formatTimestamp(this.#clock.now());
    const uid = object.metadata?.uid ?? `uid-${name}`;
    return this.#store(kind, before, { ...object, metadata: { ...object.metadata, uid, creationTimestamp } });
  }

  /** Edits as with kubectl: only spec, annotations or labels. */
  edit<T extends KubeObject>(kind: Kind<T>, name: string, change: object): T {
    const before = this.#found(kind, name);
    return this.#store(kind, before, merged(before, change));
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: T): Promise<T> {
    this.writes.push(`create ${kind.kind}/${nameOf(object)}`);
    return this.put(kind, object);
  }

  async patch<T extends KubeObject>(
    kind: Kind<T>,
    { name }: ObjectKey,
    patch: Patch,
    { subresource }: WriteOptions = {},
  ): Promise<T> {
    this.writes.push(
      ['patch', `${kind.kind}/${name}`, ...(subresource === undefined ? [] : [subresource])].join(' '),
    );
    const before = this.#found(kind, name);
    if (patch.type !== 'merge') throw new Error('only merge patches are tried here');
    const { status, ...rest } = Object.fromEntries(Object.entries(patch.body));
    this.#checkVersion(before, rest['metadata']);
    const change = subresource === 'status' ? { status } : rest;
    return this.#store(kind, before, merged(before, change));
  }

  async delete<T extends KubeObject>(kind: Kind<T>, { name }: ObjectKey, _?: DeleteOptions): Promise<void> {
    this.writes.push(`delete ${kind.kind}/${name}`);
    this.remove(kind, name);
  }

  /** An object with finalizers remains until they are removed. */
  remove<T extends KubeObject>(kind: Kind<T>, name: string): void {
    const before = this.#found(kind, name);
    const deletionTimestamp = before.metadata?.deletionTimestamp ?? formatTimestamp(this.#clock.now());
    this.#store(kind, before, merged(before, { metadata: { deletionTimestamp } }));
  }

  #found<T extends KubeObject>(kind: Kind<T>, name: string): T {
    const found = this.of(kind).stored.get(name);
    if (found !== undefined) return found;
    throw refusal(404, 'NotFound', `${kind.plural} "${name}" not found`);
  }

  #checkVersion({ metadata }: KubeObject, asked: Metadata | undefined): void {
    const wanted = asked?.resourceVersion;
    if (wanted === undefined || wanted === metadata?.resourceVersion) return;
    throw refusal(409, 'Conflict', 'the object has been modified');
  }

  #store<T extends KubeObject>(kind: Kind<T>, before: T | undefined, after: T): T {
    const name = nameOf(after);
    if (before !== undefined && isDeepStrictEqual(before, merged(after, versionOf(before)))) return before;
    this.#version += 1;
    const isOtherSpec = !isDeepStrictEqual(specOf(before), specOf(after));
    const generation = (before?.metadata?.generation ?? 0) + Number(isOtherSpec);
    const stored = merged(after, { metadata: { generation, resourceVersion: String(this.#version) } });
    const { deletionTimestamp, finalizers = [] } = stored.metadata ?? {};
    if (deletionTimestamp !== undefined && finalizers.length === 0) this.of(kind).drop(name);
    else this.of(kind).store(name, stored);
    return stored;
  }
}

function versionOf({ metadata }: KubeObject): object {
  return { metadata: { resourceVersion: metadata?.resourceVersion, generation: metadata?.generation } };
}

function specOf(object: KubeObject | undefined): unknown {
  return object !== undefined && 'spec' in object ? object.spec : undefined;
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

function refusal(code: number, reason: string, message: string): ApiError {
  return new ApiError('write', { code, reason, message, causes: [] });
}

/** A merge patch preserves the type of the object, for the patches of these tests. */
function merged<T>(object: T, patch: object): T {
  return mergedJson(object, patch) as T;
}

function mergedJson(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const result: Record<string, unknown> = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else result[key] = mergedJson(result[key], value);
  }
  return result;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
