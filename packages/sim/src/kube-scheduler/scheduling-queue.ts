import type { Instant } from '@karpenter/kube/runtime';
import { Heap } from '../objects/heap.ts';
import type { PodInfo } from './pods/pod-info.ts';

const firstBackoffMs = 1_000;
const maxBackoffMs = 10_000;
/** A pod waits at most this long even if no event seems to help, in case an event was missed. */
const maxUnschedulableMs = 5 * 60_000;

interface Entry {
  readonly pod: PodInfo;
  readonly arrival: number;
  attempts: number;
  /** When the last attempt failed; the backoff starts here. */
  failedAt: Instant;
  /** Where the pod is. The heaps may still hold entries that have moved on; this field decides. */
  place: 'active' | 'backoff' | 'unschedulable' | 'tried' | 'gone';
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.pod.priority === b.pod.priority ? a.arrival < b.arrival : a.pod.priority > b.pod.priority;
}

function backoffEnd({ failedAt, attempts }: Entry): Instant {
  return failedAt + Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.max(0, attempts - 1));
}

/**
 * The scheduling queue: pods without a node, by priority, then by arrival. A pod that did not fit waits until
 * an event may help it, and at least for its backoff, which doubles from one second to ten.
 */
export class SchedulingQueue {
  readonly #entries = new Map<string, Entry>();
  readonly #active = new Heap<Entry>(isBefore);
  readonly #backoff = new Heap<Entry>((a, b) => backoffEnd(a) < backoffEnd(b));
  /** Unschedulable pods by class; an event helps all pods of a class or none. */
  readonly #unschedulable = new Map<string, Map<string, Entry>>();
  #arrivals = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** Adds a pod, or a new version of one, which is tried at once. */
  add(pod: PodInfo): void {
    const known = this.#entries.get(pod.key);
    this.remove(pod.key);
    this.#arrivals += 1;
    const entry: Entry = {
      pod,
      arrival: known?.arrival ?? this.#arrivals,
      attempts: known?.attempts ?? 0,
      failedAt: known?.failedAt ?? 0,
      place: 'active',
    };
    this.#entries.set(pod.key, entry);
    this.#active.push(entry);
  }

  get(key: string): PodInfo | undefined {
    return this.#entries.get(key)?.pod;
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#leaveUnschedulable(entry);
    entry.place = 'gone';
  }

  /** The next pod to try; the queue keeps it until `remove`, `failed` or `retry`. */
  pop(now: Instant): PodInfo | undefined {
    this.#wake(now);
    for (let entry = this.#active.pop(); entry !== undefined; entry = this.#active.pop()) {
      if (entry.place !== 'active') continue;
      entry.place = 'tried';
      entry.attempts += 1;
      return entry.pod;
    }
    return undefined;
  }

  /** No node fits the pod. */
  failed(key: string, now: Instant): void {
    const entry = this.#entries.get(key);
    if (entry?.place !== 'tried') return;
    entry.failedAt = now;
    entry.place = 'unschedulable';
    const siblings = this.#unschedulable.get(entry.pod.classKey) ?? new Map<string, Entry>();
    this.#unschedulable.set(entry.pod.classKey, siblings);
    siblings.set(key, entry);
  }

  /** Binding to a chosen node failed; the pod needs no event, only its backoff. */
  retry(key: string, now: Instant): void {
    const entry = this.#entries.get(key);
    if (entry?.place !== 'tried') return;
    entry.failedAt = now;
    this.#toBackoff(entry);
  }

  /**
   * Moves the classes that the event may help to backoff. Calls `mayHelp` with one pod per class, because a
   * Deployment may have thousands of equal pods.
   */
  activate(mayHelp: (example: PodInfo) => boolean): void {
    for (const [classKey, siblings] of this.#unschedulable) {
      const [example] = siblings.values();
      if (example === undefined || !mayHelp(example.pod)) continue;
      this.#unschedulable.delete(classKey);
      for (const entry of siblings.values()) this.#toBackoff(entry);
    }
  }

  /** When `pop` will return a pod if nothing else happens; undefined if never. */
  nextAt(): Instant | undefined {
    if (this.#active.size > 0) return 0;
    const next = this.#backoff.peek();
    const oldest = this.#oldestFailure();
    const waitEnd = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + maxUnschedulableMs;
    const at = Math.min(next === undefined ? Number.POSITIVE_INFINITY : backoffEnd(next), waitEnd);
    return at === Number.POSITIVE_INFINITY ? undefined : at;
  }

  #oldestFailure(): Instant | undefined {
    let oldest: Instant | undefined;
    for (const siblings of this.#unschedulable.values()) {
      const [first] = siblings.values();
      if (first !== undefined && (oldest === undefined || first.failedAt < oldest)) oldest = first.failedAt;
    }
    return oldest;
  }

  #wake(now: Instant): void {
    const oldest = this.#oldestFailure();
    if (oldest !== undefined && oldest + maxUnschedulableMs <= now) this.activate(() => true);
    for (let next = this.#backoff.peek(); next !== undefined; next = this.#backoff.peek()) {
      if (next.place === 'backoff' && backoffEnd(next) > now) return;
      this.#backoff.pop();
      if (next.place !== 'backoff') continue;
      next.place = 'active';
      this.#active.push(next);
    }
  }

  #toBackoff(entry: Entry): void {
    entry.place = 'backoff';
    this.#backoff.push(entry);
  }

  #leaveUnschedulable({ pod }: Entry): void {
    const siblings = this.#unschedulable.get(pod.classKey);
    if (siblings?.delete(pod.key) && siblings.size === 0) this.#unschedulable.delete(pod.classKey);
  }
}
