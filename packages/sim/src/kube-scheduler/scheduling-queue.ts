import type { Instant } from '@karpenter/kube/runtime';
import { Heap } from '../objects/heap.ts';
import type { PodInfo } from './pods/pod-info.ts';

const firstBackoffMs = 1_000;
const longestBackoffMs = 10_000;
/** A pod that nothing seemed to help is tried again all the same. */
const longestWaitMs = 5 * 60_000;

interface Entry {
  readonly pod: PodInfo;
  readonly arrival: number;
  attempts: number;
  /** When it was last tried; it is not tried again before its backoff ends. */
  failedAt: Instant;
  place: 'active' | 'backoff' | 'unschedulable' | 'tried' | 'gone';
}

function comesFirst(a: Entry, b: Entry): boolean {
  return a.pod.priority === b.pod.priority ? a.arrival < b.arrival : a.pod.priority > b.pod.priority;
}

function backoffEnd({ failedAt, attempts }: Entry): Instant {
  return failedAt + Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.max(0, attempts - 1));
}

/**
 * Pods without a node: by priority, then by arrival. Those that found none wait until something changes that
 * may help, and no less than their backoff, which doubles from one second to ten.
 */
export class SchedulingQueue {
  readonly #entries = new Map<string, Entry>();
  readonly #active = new Heap<Entry>(comesFirst);
  readonly #backoff = new Heap<Entry>((a, b) => backoffEnd(a) < backoffEnd(b));
  /** Waiting pods by class: what helps one pod of a class helps all. */
  readonly #unschedulable = new Map<string, Map<string, Entry>>();
  #arrivals = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** A new pod, or a new version of one, which is tried at once. */
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

  /** The next pod to try; it stays known until it is removed or failed. */
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

  /** No node was found for the pod. */
  failed(key: string, now: Instant): void {
    const entry = this.#entries.get(key);
    if (entry?.place !== 'tried') return;
    entry.failedAt = now;
    entry.place = 'unschedulable';
    const siblings = this.#unschedulable.get(entry.pod.classKey) ?? new Map<string, Entry>();
    this.#unschedulable.set(entry.pod.classKey, siblings);
    siblings.set(key, entry);
  }

  /** A node was found but binding to it failed: no fault of the pod's. */
  retry(key: string, now: Instant): void {
    const entry = this.#entries.get(key);
    if (entry?.place !== 'tried') return;
    entry.failedAt = now;
    this.#toBackoff(entry);
  }

  /** Tries waiting pods again, by class, where the change may help them. */
  activate(mayHelp: (example: PodInfo) => boolean): void {
    for (const [classKey, siblings] of this.#unschedulable) {
      const [example] = siblings.values();
      if (example === undefined || !mayHelp(example.pod)) continue;
      this.#unschedulable.delete(classKey);
      for (const entry of siblings.values()) this.#toBackoff(entry);
    }
  }

  /** When there will be something to pop, if nothing else happens. */
  nextAt(): Instant | undefined {
    if (this.#active.size > 0) return 0;
    const next = this.#backoff.peek();
    const oldest = this.#oldestFailure();
    const waitEnd = oldest === undefined ? Number.POSITIVE_INFINITY : oldest + longestWaitMs;
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
    if (oldest !== undefined && oldest + longestWaitMs <= now) this.activate(() => true);
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
