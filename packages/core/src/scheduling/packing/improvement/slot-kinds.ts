import { type Slot, slotKey } from './slot.ts';

/**
 * Numbers slots so that those with the same offer and the same units share a number. Many nodes of a large packing are
 * equal, and what a search finds for one slot is true for all equal ones (ADR 0011). The caller has to call `update`
 * after each change of a slot.
 */
export class SlotKinds {
  readonly #slots: readonly Slot[];
  readonly #numbers = new Map<string, number>();
  /** By index of the slot. */
  readonly of: Uint32Array;

  constructor(slots: readonly Slot[]) {
    this.#slots = slots;
    this.of = new Uint32Array(slots.length);
    for (let index = 0; index < slots.length; index++) this.update(index);
  }

  /** How many numbers there are; the next new kind gets this one. */
  get count(): number {
    return this.#numbers.size;
  }

  /** Updates the number of a slot that changed. */
  update(index: number): void {
    const slot = this.#slots[index];
    if (slot === undefined) return;
    const key = slotKey(slot);
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    this.of[index] = number;
  }
}
