import type { Instant } from '@karpenter/kube/runtime';
import { cacheLifetimes } from '../names/index.ts';

interface Count {
  readonly free: number;
  readonly readAt: Instant;
}

/**
 * How many instances each capacity reservation still holds. EC2 says so every minute; in between, launches and
 * terminations are reckoned with.
 */
export class ReservationCounts {
  readonly #now: () => Instant;
  readonly #counts = new Map<string, Count>();
  #version = 0;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** Another number each time that a count may have changed. */
  get version(): number {
    return this.#version;
  }

  /** What is not known holds nothing. */
  free(reservationId: string): number {
    const count = this.#counts.get(reservationId);
    const isOld = count !== undefined && this.#now() >= count.readAt + cacheLifetimes.capacityReservation;
    return count === undefined || isOld ? 0 : count.free;
  }

  /** What EC2 says. */
  read(free: ReadonlyMap<string, number>): void {
    for (const [id, count] of free) this.#set(id, count);
  }

  markLaunched(reservationId: string): void {
    this.#set(reservationId, this.free(reservationId) - 1);
  }

  markTerminated(reservationId: string): void {
    this.#set(reservationId, this.free(reservationId) + 1);
  }

  /** EC2 refused a launch for want of capacity, whatever it said before. */
  markUnavailable(reservationId: string): void {
    this.#set(reservationId, 0);
  }

  #set(id: string, free: number): void {
    const next = Math.max(0, free);
    if (next !== this.#counts.get(id)?.free) this.#version += 1;
    this.#counts.set(id, { free: next, readAt: this.#now() });
  }
}
