import { randomInt } from 'node:crypto';
import { type EventDefinition, type EventKeyPart, eventComponent } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import type { Event } from 'kubernetes-types/core/v1.js';
import type { Kind, KubeObject, KubeWriter } from '../client/index.ts';
import { apiVersionOf, ConnectionError, isNotFound, kinds } from '../client/index.ts';
import type { Clock, Instant } from '../clock/index.ts';
import { TokenBucket } from '../clock/index.ts';
import { RecentMap } from './recent-map.ts';

/** An event to publish on an object. */
export interface ClusterEvent {
  readonly definition: EventDefinition;
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly message: string;
  /** Values of the other parts of the deduplication key, for definitions whose `dedupeKey` names them. */
  readonly parts?: Partial<Readonly<Record<EventKeyPart, string>>>;
}

/** Publishes Kubernetes events. Neither method throws or rejects: a lost event must not fail a reconcile. */
export interface EventRecorder {
  /**
   * Returns at once and writes the events in order in the
   * background. Repeated events may be dropped or counted.
   */
  publish(...events: readonly ClusterEvent[]): void;
  /** Resolves when every event published so far is written, or dropped after its last retry. */
  flush(): Promise<void>;
}

export interface RecorderOptions {
  readonly client: Pick<KubeWriter, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly component?: string;
  /** Annotations of every event. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called with the error of each event that could not be written. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Limit on unwritten events, so that a slow API server cannot fill the memory. Events beyond it are dropped.
 */
const maxPending = 1000;
/** Capacity of each of the recorder's maps; client-go's event correlator keeps 4096 keys too. */
const cacheSize = 4096;
/** Rate limit per object, as client-go's spam filter: a burst of 25, then one event every five minutes. */
const perObject = { perSecond: 1 / 300, burst: 25 };
/** Retries after connection errors, as client-go: 12 tries, ten seconds apart. */
const retryAfter = durationMs(10_000);
const maxTries = 12;

/** An Event object on the server, whose count the next equal event increments. */
interface WrittenEvent {
  readonly name: string;
  readonly count: number;
}

/**
 * Writes core v1 Events. `publish` drops an event that repeats within the window
 * of its definition, or that exceeds the rate limit of its reason or object. A
 * repeat after the window increments the count of the Event on the server.
 */
export class CoreEventRecorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly #lastPublished = new RecentMap<Instant>(cacheSize);
  readonly #rates = new Map<string, TokenBucket>();
  readonly #objectRates = new RecentMap<TokenBucket>(cacheSize);
  readonly #written = new RecentMap<WrittenEvent>(cacheSize);
  #pending = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  publish(...events: readonly ClusterEvent[]): void {
    for (const event of events) {
      if (this.#isRepeated(event) || !this.#isWithinRates(event) || this.#pending >= maxPending) continue;
      const at = this.#options.clock.now();
      this.#pending += 1;
      this.#writing = this.#writing.then(() => this.#write(event, at));
    }
  }

  flush(): Promise<void> {
    return this.#writing;
  }

  /** Whether an event with the same key came within the window; remembers this one if not. */
  #isRepeated(event: ClusterEvent): boolean {
    const { definition } = event;
    const key = [definition.reason, ...definition.dedupeKey.map((part) => partOf(event, part))].join('\0');
    const now = this.#options.clock.now();
    const last = this.#lastPublished.get(key);
    if (last !== undefined && now < last + definition.dedupeWindow) return true;
    this.#lastPublished.set(key, now);
    return false;
  }

  /** Takes a token of the reason's and the object's rate limits, and returns whether both had one. */
  #isWithinRates({ definition, object }: ClusterEvent): boolean {
    const { reason, rateLimit } = definition;
    const { clock } = this.#options;
    if (rateLimit !== undefined) {
      const bucket = this.#rates.get(reason) ?? new TokenBucket(rateLimit, clock);
      this.#rates.set(reason, bucket);
      if (!bucket.tryTake()) return false;
    }
    const uid = object.metadata?.uid ?? '';
    const bucket = this.#objectRates.get(uid) ?? new TokenBucket(perObject, clock);
    this.#objectRates.set(uid, bucket);
    return bucket.tryTake();
  }

  /** Retries only connection errors: an event that the server refuses once it refuses again. */
  async #write(event: ClusterEvent, at: Instant): Promise<void> {
    const { clock, signal, onError } = this.#options;
    for (let tries = 1; signal?.aborted !== true; tries += 1) {
      try {
        await this.#send(event, at);
        break;
      } catch (error) {
        if (!(error instanceof ConnectionError) || tries >= maxTries) {
          onError?.(error);
          break;
        }
        await clock.sleep(retryAfter, signal);
      }
    }
    this.#pending -= 1;
  }

  /**
   * Increments the count of an equal Event. Creates a new one when there is none, or when its TTL removed it.
   */
  async #send(event: ClusterEvent, at: Instant): Promise<void> {
    const { client } = this.#options;
    const { definition, object, message } = event;
    const key = [object.metadata?.uid, definition.type, definition.reason, message].join('\0');
    const written = this.#written.get(key);
    const namespace = namespaceOf(object);
    if (written !== undefined) {
      try {
        const count = written.count + 1;
        const body = { count, lastTimestamp: timestamp(at) };
        await client.patch(kinds.event, { namespace, name: written.name }, { type: 'merge', body });
        this.#written.set(key, { name: written.name, count });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    const created = await client.create(kinds.event, this.#object(event, at));
    this.#written.set(key, { name: created.metadata?.name ?? '', count: 1 });
  }

  #object({ definition, kind, object, message }: ClusterEvent, at: Instant): Event {
    const { component = eventComponent, annotations } = this.#options;
    const { name = '', uid = '', resourceVersion = '', namespace } = object.metadata ?? {};
    return {
      metadata: {
        name: `${name}.${uniqueSuffix(at)}`,
        namespace: namespaceOf(object),
        ...(annotations !== undefined && { annotations }),
      },
      involvedObject: {
        apiVersion: apiVersionOf(kind),
        kind: kind.kind,
        name,
        uid,
        resourceVersion,
        ...(namespace === undefined ? {} : { namespace }),
      },
      type: definition.type,
      reason: definition.reason,
      message,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
      firstTimestamp: timestamp(at),
      lastTimestamp: timestamp(at),
      count: 1,
    };
  }
}

/** Events on cluster-scoped objects go to the namespace `default`, as in client-go. */
function namespaceOf({ metadata }: KubeObject): string {
  return metadata?.namespace ?? 'default';
}

function partOf({ object, message, parts }: ClusterEvent, part: EventKeyPart): string {
  if (part === 'uid') return object.metadata?.uid ?? '';
  if (part === 'name') return object.metadata?.name ?? '';
  return parts?.[part] ?? (part === 'message' ? message : '');
}

function timestamp(at: Instant): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * Unix nanoseconds in hexadecimal, as in the event names of
 * client-go. The clock has milliseconds; the rest is random.
 */
function uniqueSuffix(at: Instant): string {
  return (BigInt(Math.trunc(at)) * 1_000_000n + BigInt(randomInt(1_000_000))).toString(16);
}
