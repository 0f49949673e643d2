import type { Kind, KubeObject, ObjectKey } from './kind.ts';

export interface GetOptions {
  readonly signal?: AbortSignal;
}

/** Options of a list; field names are those of the API's query parameters. */
export interface ListOptions {
  /** Defaults to all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  /** `'0'` accepts any cached state of the server; absent requires the most recent. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly signal?: AbortSignal;
}

/** A list or one page of it. */
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
  /** Version to resume from; the watch delivers the events after it. */
  readonly resourceVersion?: string;
  readonly timeoutSeconds?: number;
  readonly sendInitialEvents?: boolean;
  readonly signal?: AbortSignal;
}

/** An event of a watch. An ERROR event never appears here: the watch throws it as an ApiError. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WriteOptions {
  readonly dryRun?: boolean;
  /** Name of the writer in managed fields. Defaults to the client's own. */
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** Subresource to write, such as `status`. Defaults to the object itself. */
  readonly subresource?: string;
  readonly signal?: AbortSignal;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes over fields that other managers own, instead of failing with a conflict. */
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

/**
 * Read access, for components that must not write. Every failure is an ApiError or a ConnectionError. An
 * aborted signal rejects a request, and ends a watch without an error.
 */
export interface KubeReader {
  /** Fails with `isNotFound` (404) if there is no such object. */
  get<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<T>;
  /** As `get`, for callers that expect the object to be absent at times: undefined if it is. */
  find<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: GetOptions): Promise<T | undefined>;
  /** Lists one page if `limit` is set, otherwise all pages. */
  list<T extends KubeObject>(kind: Kind<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Ends when the server ends it or the signal aborts. A slow reader exerts backpressure on the server. */
  watch<T extends KubeObject>(kind: Kind<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/**
 * Write access. Failures are as for `KubeReader`; a lost
 * response to a write leaves open whether it took effect.
 */
export interface KubeWriter {
  create<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  /**
   * Replaces the object. With `metadata.resourceVersion` it
   * fails with a conflict if that is no longer the stored one.
   */
  replace<T extends KubeObject>(kind: Kind<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    kind: Kind<T>,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T>;
  /** Server-side apply. Creates the object if it is absent. */
  apply<T extends KubeObject>(kind: Kind<T>, object: T, options: ApplyOptions): Promise<T>;
  /**
   * Resolves when the server accepts the request. Finalizers
   * and grace periods may keep the object for longer.
   */
  delete<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  deleteAll<T extends KubeObject>(kind: Kind<T>, list: ListOptions, options?: DeleteOptions): Promise<void>;
  /**
   * Creates `pods/eviction`. Fails with `isDisruptionBudgetRefusal`
   * (429) while a PodDisruptionBudget forbids it.
   */
  evict(pod: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** Creates `pods/binding`, as kube-scheduler does. */
  bind(pod: ObjectKey, nodeName: string): Promise<void>;
}

/** The whole client, as `connect` returns it. */
export interface KubeClient extends KubeReader, KubeWriter {
  /** Requests any path, for what is no object: `/version`, `/readyz`, discovery. */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Closes all connections and aborts the requests in progress. */
  close(): Promise<void>;
}
