import { type Slot, slotKey } from './slot.ts';

/**
 * Numbers slots so that those with the same offer and the same units share a number: most nodes of a large
 * packing have an equal, and what a search finds for one slot holds for all of its kind. Whoever changes a
 * slot calls `update`.
 */
export class SlotKinds {
  readonly #slots: readonly Slot[];
  readonly #numbers = new Map<string, number>();
  /** By index of the slot. */
  readonly of: Uint32Array;

  constructor(slots: readonly Slot[]) {
    this.#slots = slots;
    this.of = new Uint32Array(slots.length);
    for (let place = 0; place < slots.length; place++) this.update(place);
  }

  /** Reads a slot again. */
  update(place: number): void {
    const slot = this.#slots[place];
    if (slot === undefined) return;
    const key = slotKey(slot);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    this.of[place] = number;
  }
}
