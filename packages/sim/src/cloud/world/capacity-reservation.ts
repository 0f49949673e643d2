import type { Instant } from '@karpenter/kube/runtime';
import type { SavedTags } from './tags.ts';

export interface CapacityReservationFacts {
  readonly id: string;
  readonly ownerId: string;
  readonly type: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly total: number;
  readonly matchCriteria: 'open' | 'targeted';
  readonly reservationType: 'default' | 'capacity-block';
  readonly isInterruptible: boolean;
  readonly endsAt?: Instant;
  readonly createdAt: Instant;
  readonly tags: Map<string, string>;
}

export interface SavedReservation {
  readonly facts: Omit<CapacityReservationFacts, 'tags'>;
  readonly tags: SavedTags;
  readonly used: number;
  readonly isCancelled: boolean;
}

/** A capacity reservation: a number of instances of one type in one zone that only its users can launch. */
export class CapacityReservation {
  readonly facts: CapacityReservationFacts;
  #used = 0;
  #isCancelled = false;

  constructor(facts: CapacityReservationFacts) {
    this.facts = facts;
  }

  static restore({ facts, tags, used, isCancelled }: SavedReservation): CapacityReservation {
    const reservation = new CapacityReservation({ ...facts, tags: new Map(tags) });
    reservation.#used = used;
    reservation.#isCancelled = isCancelled;
    return reservation;
  }

  save(): SavedReservation {
    const { tags, ...facts } = this.facts;
    return { facts, tags: [...tags], used: this.#used, isCancelled: this.#isCancelled };
  }

  get id(): string {
    return this.facts.id;
  }

  get tags(): Map<string, string> {
    return this.facts.tags;
  }

  get available(): number {
    return this.facts.total - this.#used;
  }

  stateAt(now: Instant): 'active' | 'expired' | 'cancelled' {
    if (this.#isCancelled) return 'cancelled';
    return this.facts.endsAt !== undefined && this.facts.endsAt <= now ? 'expired' : 'active';
  }

  cancel(): void {
    this.#isCancelled = true;
  }

  /** Uses one slot; false if the reservation is full, expired or cancelled. */
  take(now: Instant): boolean {
    if (this.available < 1 || this.stateAt(now) !== 'active') return false;
    this.#used += 1;
    return true;
  }

  /** Frees one slot. */
  giveBack(): void {
    this.#used -= 1;
  }
}
