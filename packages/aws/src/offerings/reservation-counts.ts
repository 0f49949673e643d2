import type { Instant } from '@karpenter/kube/runtime';
import { cacheLifetimes } from '../names/index.ts';

interface Count {
  readonly free: number;
  readonly readAt: Instant;
}

/**
 * Free instances of each capacity reservation. EC2 reports them every minute; in between, our own launches
 * and terminations adjust the counts.
 */
export class ReservationCounts {
  readonly #now: () => Instant;
  readonly #counts = new Map<string, Count>();
  #version = 0;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** Increases when a count changes. */
  get version(): number {
    return this.#version;
  }

  /** Returns 0 for reservations that are unknown or not reported for too long. */
  free(reservationId: string): number {
    const count = this.#counts.get(reservationId);
    const isOld = count !== undefined && this.#now() >= count.readAt + cacheLifetimes.capacityReservation;
    return count === undefined || isOld ? 0 : count.free;
  }

  /** Replaces the counts with those that EC2 reports. */
  read(free: ReadonlyMap<string, number>): void {
    for (const [id, count] of free) this.#set(id, count);
  }

  markLaunched(reservationId: string): void {
    this.#set(reservationId, this.free(reservationId) - 1);
  }

  markTerminated(reservationId: string): void {
    this.#set(reservationId, this.free(reservationId) + 1);
  }

  /** Sets a count to 0 after a launch failed for lack of capacity, until EC2 reports again. */
  markUnavailable(reservationId: string): void {
    this.#set(reservationId, 0);
  }

  #set(id: string, free: number): void {
    const next = Math.max(0, free);
    if (next !== this.#counts.get(id)?.free) this.#version += 1;
    this.#counts.set(id, { free: next, readAt: this.#now() });
  }
}
