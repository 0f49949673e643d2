import { durationMs, isOlderVersion } from '@karpenter/core/values';
import { isGone } from '../client/api-error.ts';
import type { Kind, KubeObject } from '../client/kind.ts';
import type { KubeReader, ListOptions, WatchEvent } from '../client/kube-client.ts';
import { type BackoffOptions, backoffDelay } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';

export type Selection = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

/** What a reflector tells: a complete list, which takes its time, or one object that came, changed or went. */
export interface Mirror<T> {
  /** A part of the first list. */
  begin(objects: readonly T[]): Promise<void>;
  /** The parts of the first list are all there. */
  complete(): void;
  replaceAll(objects: readonly T[]): Promise<void>;
  set(object: T): void;
  remove(object: T): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: KubeReader;
  readonly kind: Kind<T>;
  readonly clock: Clock;
  readonly selection?: Selection;
  readonly mirror: Mirror<T>;
  /** CandidateMessage of failures, which are retried forever. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly random?: () => number;
}

const waits: BackoffOptions = { initial: durationMs(800), max: durationMs(30_000), jitter: 1 };
const pageSize = 500;
/** After so many lists that all go back in time, time itself did: the cluster was restored from a backup. */
const convincingOlderLists = 10;

/**
 * Keeps a mirror of all objects of a kind: lists them, watches from there, goes on from the last version it
 * saw when a watch ends, and lists again only when the server has forgotten that version.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  /** The newest moment that the mirror shows. */
  #version = '';
  #mustList = true;
  /** A list that failed halfway has left something in the mirror, which only a whole one can put right. */
  #hasBegun = false;
  #olderLists = 0;
  #failures = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  /** Never rejects; resolves when the signal is raised. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#mustList) await this.#list(signal);
        else if (await this.#watch(signal)) continue;
        else await this.#wait(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (isGone(error)) this.#mustList = true;
        this.#options.onError?.(error);
        await this.#wait(signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    if (this.#hasBegun) await this.#listAgain(signal);
    else await this.#listFirst(signal);
  }

  /** Each page is in the mirror before the next is asked for, so that memory never holds all of it twice. */
  async #listFirst(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, mirror } = this.#options;
    const options = { ...selection, signal, limit: pageSize };
    let page = await client.list(kind, options);
    const { resourceVersion } = page;
    this.#hasBegun = true;
    await mirror.begin(page.items);
    while (page.continue !== undefined) {
      page = await client.list(kind, { ...options, continue: page.continue });
      await mirror.begin(page.items);
    }
    this.#mustList = false;
    this.#version = resourceVersion;
    mirror.complete();
  }

  async #listAgain(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, mirror } = this.#options;
    const { items, resourceVersion } = await client.list(kind, { ...selection, signal });
    if (isOlderVersion(resourceVersion, this.#version) && this.#olderLists < convincingOlderLists) {
      this.#olderLists += 1;
      await this.#wait(signal);
      return;
    }
    this.#olderLists = 0;
    this.#mustList = false;
    this.#version = resourceVersion;
    await mirror.replaceAll(items);
  }

  /** Whether the watch brought anything; one that does not, again and again, is not worth hurrying. */
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
    }
    return progress;
  }

  #take(event: WatchEvent<T>): void {
    const version =
      event.type === 'BOOKMARK' ? event.resourceVersion : (event.object.metadata?.resourceVersion ?? '');
    // A server that repeats itself must not bring back what is gone.
    if (isOlderVersion(version, this.#version)) return;
    this.#version = version;
    if (event.type === 'BOOKMARK') return;
    if (event.type === 'DELETED') this.#options.mirror.remove(event.object);
    else this.#options.mirror.set(event.object);
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { clock, random = Math.random } = this.#options;
    await clock.sleep(backoffDelay({ ...waits, random }, this.#failures), signal);
    this.#failures += 1;
  }
}
