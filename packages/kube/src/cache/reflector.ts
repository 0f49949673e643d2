import { durationMs, isOlderVersion } from '@karpenter/core/values';
import type { Kind, KubeObject, KubeReader, ListOptions, WatchEvent } from '../client/index.ts';
import { isForbidden, isGone } from '../client/index.ts';
import type { Clock } from '../runtime/index.ts';
import { type BackoffOptions, backoffDelay } from '../runtime/index.ts';

export type WatchSelection = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

/**
 * Receives what a reflector reads; client-go calls it a
 * store. The reflector awaits each call before the next.
 */
export interface ReflectorTarget<T> {
  /** Adds one page of the first list. */
  addPage(objects: readonly T[]): Promise<void>;
  /** Called when the first list is complete. */
  markSynced(): void;
  /** Replaces all objects with a complete later list. */
  replaceAll(objects: readonly T[]): Promise<void>;
  set(object: T): void;
  remove(object: T): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: KubeReader;
  readonly kind: Kind<T>;
  readonly clock: Clock;
  readonly selection?: WatchSelection;
  readonly target: ReflectorTarget<T>;
  /** Called with each failed list or watch. The reflector retries forever. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Makes the kind optional: while the API server forbids it, the target is empty and counts as listed. Called
   * when it is forbidden and when it is allowed again, in place of `onError`.
   */
  readonly onAccess?: ((isAllowed: boolean) => void) | undefined;
  readonly random?: () => number;
}

/** Delays between retries, as in client-go's reflector. */
const retryBackoff: BackoffOptions = { initial: durationMs(800), max: durationMs(30_000), jitter: 1 };
const pageSize = 500;
/**
 * Consecutive lists with an older resource version before the reflector accepts one. A single one may come
 * from an API server replica that lags behind; ten mean that the cluster was restored from a backup.
 */
const maxOlderLists = 10;

/**
 * Lists all objects of a kind, then watches them from the version of the list. When a watch ends, it resumes
 * from the last version seen, and lists again only when the server has compacted that version (410 Gone).
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  /** Newest resource version seen, bookmarks included. Watches resume from it. */
  #version = '';
  #mustList = true;
  /**
   * Set by the first page. If the first list fails after that, only a complete list can remove stale objects.
   */
  #hasBegun = false;
  #olderLists = 0;
  #failures = 0;
  #isForbidden = false;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#mustList) await this.#list(signal);
        else if (await this.#watch(signal)) continue;
        else await this.#wait(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isGone(error)) this.#mustList = true;
        if (isForbidden(error) && this.#options.onAccess !== undefined) await this.#forbid();
        else this.#options.onError?.(error);
        await this.#wait(signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    if (this.#hasBegun) await this.#listAgain(signal);
    else await this.#listFirst(signal);
  }

  /** Drops the objects, because nothing keeps them up to date. Only a complete list can bring them back. */
  async #forbid(): Promise<void> {
    this.#mustList = true;
    this.#hasBegun = true;
    await this.#options.target.replaceAll([]);
    this.#setAccess(false);
  }

  #setAccess(isAllowed: boolean): void {
    if (this.#isForbidden !== isAllowed) return;
    this.#isForbidden = !isAllowed;
    this.#options.onAccess?.(isAllowed);
  }

  /** Stores each page before it requests the next, so that memory never holds the whole list twice. */
  async #listFirst(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, target } = this.#options;
    const options = { ...selection, signal, limit: pageSize };
    let page = await client.list(kind, options);
    const { resourceVersion } = page;
    this.#hasBegun = true;
    await target.addPage(page.items);
    while (page.continue !== undefined) {
      page = await client.list(kind, { ...options, continue: page.continue });
      await target.addPage(page.items);
    }
    this.#mustList = false;
    this.#version = resourceVersion;
    target.markSynced();
  }

  /**
   * Lists everything at once and replaces the contents, unless the list is older than what was seen already.
   */
  async #listAgain(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, target } = this.#options;
    const { items, resourceVersion } = await client.list(kind, { ...selection, signal });
    if (isOlderVersion(resourceVersion, this.#version) && this.#olderLists < maxOlderLists) {
      this.#olderLists += 1;
      await this.#wait(signal);
      return;
    }
    this.#olderLists = 0;
    this.#mustList = false;
    this.#version = resourceVersion;
    await target.replaceAll(items);
  }

  /** Returns whether the watch delivered any event. `run` backs off after one that did not, so that it never spins. */
  async #watch(signal: AbortSignal): Promise<boolean> {
    const { client, kind, selection, random = Math.random } = this.#options;
    // Between five and ten minutes, so that the watches of many clients do not all end together.
    const timeoutSeconds = Math.round(300 * (1 + random()));
    const options = { ...selection, signal, timeoutSeconds, resourceVersion: this.#version };
    let progress = false;
    for await (const event of client.watch(kind, options)) {
      this.#take(event);
      this.#failures = 0;
      progress = true;
      this.#setAccess(true);
    }
    // Not after the list: a role may allow to list and not to watch.
    this.#setAccess(true);
    return progress;
  }

  #take(event: WatchEvent<T>): void {
    const version =
      event.type === 'BOOKMARK' ? event.resourceVersion : (event.object.metadata?.resourceVersion ?? '');
    // A server that repeats old events must not bring back deleted objects.
    if (isOlderVersion(version, this.#version)) return;
    this.#version = version;
    if (event.type === 'BOOKMARK') return;
    if (event.type === 'DELETED') this.#options.target.remove(event.object);
    else this.#options.target.set(event.object);
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { clock, random = Math.random } = this.#options;
    await clock.sleep(backoffDelay({ ...retryBackoff, random }, this.#failures), signal);
    this.#failures += 1;
  }
}
