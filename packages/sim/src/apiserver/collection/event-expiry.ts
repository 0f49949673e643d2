import { durationMs } from '@karpenter/core/values';
import type { ApiServerParts } from '../api-context.ts';
import { objectOf } from '../lenient-json.ts';
import { type Entry, metadataOf, type StoreChange } from '../store/index.ts';

const collection = 'events';

// The default of kube-apiserver's --event-ttl.
const lifetime = 3_600_000;

// Storage refuses writes, for example because the disk is full.
const retryAfter = durationMs(60_000);

// Requests are served between two batches.
const batchSize = 500;

/**
 * Deletes events an hour after their last write, as etcd does when their lease ends. Without it the events of a
 * busy cluster fill the memory.
 */
export class EventExpiry {
  readonly #parts: Pick<ApiServerParts, 'store' | 'clock'>;
  readonly #stopped = new AbortController();
  /** By object key, in order of expiry: every write moves its event to the end. */
  readonly #deadlines = new Map<string, Deadline>();
  #unsubscribe: () => void = () => undefined;
  #working: Promise<void> | undefined;

  constructor(parts: Pick<ApiServerParts, 'store' | 'clock'>) {
    this.#parts = parts;
  }

  start(): void {
    const { store } = this.#parts;
    this.#unsubscribe = store.subscribe((change) => this.#accept(change));
    const present = store.list(collection).map((entry) => ({ entry, at: lastWrite(entry) + lifetime }));
    for (const { entry, at } of present.sort((a, b) => a.at - b.at)) this.#expect(entry, at);
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stopped.abort();
    await this.#working;
  }

  #accept({ type, entry }: StoreChange): void {
    if (entry.collection !== collection) return;
    this.#deadlines.delete(entry.key);
    if (type !== 'DELETED') this.#expect(entry, this.#parts.clock.now() + lifetime);
  }

  #expect({ key, namespace, name }: Entry, at: number): void {
    this.#deadlines.set(key, { namespace, name, at });
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopped;
    for (let next = this.#next(); next !== undefined && !signal.aborted; next = this.#next()) {
      const wait = next.at - this.#parts.clock.now();
      if (wait > 0) await this.#parts.clock.sleep(durationMs(wait), signal);
      else await this.#deleteExpired();
    }
    this.#working = undefined;
  }

  #next(): Deadline | undefined {
    return this.#deadlines.values().next().value;
  }

  async #deleteExpired(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    for (const [key, { namespace, name }] of expiredBy(now, this.#deadlines)) {
      const entry = store.get(collection, namespace, name);
      if (entry === undefined) this.#deadlines.delete(key);
      else store.remove(entry);
    }
    try {
      // The deadlines go when the deletions are announced: a rollback brings the events back.
      await store.durable();
    } catch {
      await clock.sleep(retryAfter, this.#stopped.signal);
    }
  }
}

interface Deadline {
  readonly namespace: string;
  readonly name: string;
  readonly at: number;
}

function expiredBy(
  now: number,
  deadlines: ReadonlyMap<string, Deadline>,
): readonly (readonly [key: string, deadline: Deadline])[] {
  const expired: [string, Deadline][] = [];
  for (const [key, deadline] of deadlines) {
    if (deadline.at > now || expired.length === batchSize) break;
    expired.push([key, deadline]);
  }
  return expired;
}

/** After a restart the time of the last write is unknown, so the times in the event are used. */
function lastWrite({ object }: Entry): number {
  const times = [
    object['lastTimestamp'],
    object['eventTime'],
    objectOf(object['series'])['lastObservedTime'],
    metadataOf(object)['creationTimestamp'],
  ].map((time) => (typeof time === 'string' ? Date.parse(time) : Number.NaN));
  return Math.max(0, ...times.filter((time) => !Number.isNaN(time)));
}
