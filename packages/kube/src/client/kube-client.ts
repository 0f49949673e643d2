import type { Kind, KubeObject, ObjectKey } from './kind.ts';

export interface ListOptions {
  /** Defaults to all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  /** `'0'` takes what a server has at hand; left out, the newest. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly signal?: AbortSignal;
}

export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface WatchOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Where to go on; events after this version come. */
  readonly resourceVersion?: string;
  readonly timeoutSeconds?: number;
  readonly sendInitialEvents?: boolean;
  readonly signal?: AbortSignal;
}

/** An ERROR event is not among them: it is thrown as an ApiError. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Who writes, for managed fields; defaults to the client's own name. */
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** `status`, `scale`, …; defaults to the object itself. */
  readonly subresource?: string;
  readonly signal?: AbortSignal;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields that other managers own. */
  readonly force?: boolean;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'strategic'; readonly body: object };

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Reading, for components that must not write. Every failure is an ApiError or a ConnectionError. */
export interface KubeReader {
  get<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    options?: { readonly signal?: AbortSignal },
  ): Promise<T>;
  /** One page when `limit` is set, else everything. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends when the server ends it or the signal aborts. Reading slowly holds the server back. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

export interface KubeWriter {
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  /** Replaces; with `metadata.resourceVersion` only if that is still the stored one. */
  replace<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject>(kind: Kind<T>, object: T, options: ApplyOptions): Promise<T>;
  /** Resolves when the server accepted it; finalizers and grace periods may keep the object for a while. */
  delete<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  deleteAll<T extends KubeObject>(kind: Kind<T>, list: ListOptions, options?: DeleteOptions): Promise<void>;
  /** `pods/eviction`; a budget that forbids it is an ApiError with code 429. */
  evict(pod: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** `pods/binding`. */
  bind(pod: ObjectKey, nodeName: string): Promise<void>;
}

export interface KubeClient extends KubeReader, KubeWriter {
  /** Any path, for what is not about objects: `/version`, `/readyz`, discovery. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Ends idle connections; requests under way are aborted. */
  close(): Promise<void>;
}
