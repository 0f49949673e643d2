import { randomInt } from 'node:crypto';
import { type EventDefinition, type EventKeyPart, eventComponent } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import type { Event } from 'kubernetes-types/core/v1.js';
import { isNotFound } from '../client/api-error.ts';
import { kinds } from '../client/built-in-kinds.ts';
import { ConnectionError } from '../client/connection-error.ts';
import type { Kind, KubeObject } from '../client/kind.ts';
import type { KubeWriter } from '../client/kube-client.ts';
import { apiVersionOf } from '../client/object-path.ts';
import type { Clock, Instant } from './clock.ts';
import { RecentMap } from './recent-map.ts';
import { TokenBucket } from './token-bucket.ts';

/** Something to tell users about an object. */
export interface ClusterEvent {
  readonly definition: EventDefinition;
  readonly kind: Kind;
  readonly object: KubeObject;
  readonly message: string;
  /** What tells it apart from earlier ones besides the object and the message, for definitions that ask. */
  readonly parts?: Partial<Readonly<Record<EventKeyPart, string>>>;
}

export interface EventRecorder {
  /** Returns at once; the events are written in their order when the server takes them. */
  publish(...events: readonly ClusterEvent[]): void;
  /** Resolves when everything published so far was written or given up. */
  flush(): Promise<void>;
}

export interface RecorderOptions {
  readonly client: Pick<KubeWriter, 'create' | 'patch'>;
  readonly clock: Clock;
  readonly component?: string;
  readonly signal?: AbortSignal;
  /** CandidateMessage of events that could not be written. */
  readonly onError?: (error: unknown) => void;
}

/** A server that cannot keep up must not fill the memory: what comes on top is dropped. */
const mostPending = 1000;
const remembered = 4096;
/** Of the events about one object: a first burst, then one every five minutes. */
const perObject = { perSecond: 1 / 300, burst: 25 };
const retryAfter = durationMs(10_000);
const mostTries = 12;

interface Written {
  readonly name: string;
  readonly count: number;
}

/** Writes core v1 Events. Those that say nothing new are dropped or counted up. */
export class CoreEventRecorder implements EventRecorder {
  readonly #options: RecorderOptions;
  readonly #lastPublished = new RecentMap<Instant>(remembered);
  readonly #rates = new Map<string, TokenBucket>();
  readonly #objectRates = new RecentMap<TokenBucket>(remembered);
  readonly #written = new RecentMap<Written>(remembered);
  #pending = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  publish(...events: readonly ClusterEvent[]): void {
    for (const event of events) {
      if (this.#isRepeated(event) || !this.#isWithinRates(event) || this.#pending >= mostPending) continue;
      const at = this.#options.clock.now();
      this.#pending += 1;
      this.#writing = this.#writing.then(() => this.#write(event, at));
    }
  }

  flush(): Promise<void> {
    return this.#writing;
  }

  #isRepeated(event: ClusterEvent): boolean {
    const { definition } = event;
    const key = [definition.reason, ...definition.dedupeKey.map((part) => partOf(event, part))].join('\0');
    const now = this.#options.clock.now();
    const last = this.#lastPublished.get(key);
    if (last !== undefined && now < last + definition.dedupeWindow) return true;
    this.#lastPublished.set(key, now);
    return false;
  }

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

  async #write(event: ClusterEvent, at: Instant): Promise<void> {
    const { clock, signal, onError } = this.#options;
    for (let tries = 1; signal?.aborted !== true; tries += 1) {
      try {
        await this.#send(event, at);
        break;
      } catch (error) {
        if (!(error instanceof ConnectionError) || tries >= mostTries) {
          onError?.(error);
          break;
        }
        await clock.sleep(retryAfter, signal);
      }
    }
    this.#pending -= 1;
  }

  /** What was said before in the same words is counted up; it may be gone by now. */
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
    const { component = eventComponent } = this.#options;
    const { name = '', uid = '', resourceVersion = '', namespace } = object.metadata ?? {};
    return {
      metadata: { name: `${name}.${uniqueSuffix(at)}`, namespace: namespaceOf(object) },
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

/** Events about objects without a namespace are kept in `default`. */
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

/** Nanoseconds in hexadecimal, as Kubernetes' own components name their events; the clock gives only their first part. */
function uniqueSuffix(at: Instant): string {
  return (BigInt(Math.trunc(at)) * 1_000_000n + BigInt(randomInt(1_000_000))).toString(16);
}
