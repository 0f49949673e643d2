import type { Market } from '../market.ts';
import type { Slot } from './slot.ts';

/** The first caps have a bit each; others are checked on the slot itself. */
const capsWithBits = 32;

/**
 * The room and the caps of all slots in flat arrays, so that a search reads the slots
 * themselves only where a unit may fit. The caller has to call `update` after each change of a slot.
 */
export class SlotTable {
  readonly #market: Market;
  readonly #slots: readonly Slot[];
  /** Slot by slot, resource by resource; negative for a slot that is removed. */
  readonly #free: Float64Array;
  /** By slot, bits of the caps that allow no more units, and of those that its units count towards. */
  readonly #full: Int32Array;
  readonly #counted: Int32Array;
  /** By group, bits of its caps. */
  readonly #capsOf: Int32Array;
  /** By group, the first slot that may have room for a unit: most slots are full, and are not looked at again. */
  readonly #firstWithRoom: Int32Array;
  readonly #units = new Float64Array(capsWithBits);

  constructor(market: Market, slots: readonly Slot[]) {
    this.#market = market;
    this.#slots = slots;
    this.#free = new Float64Array(slots.length * market.groups.resources);
    this.#full = new Int32Array(slots.length);
    this.#counted = new Int32Array(slots.length);
    this.#capsOf = Int32Array.from({ length: market.groups.length }, (_, group) => capBits(market, group));
    this.#firstWithRoom = new Int32Array(market.groups.length);
    for (const [index, slot] of slots.entries()) this.#measure(index, slot);
  }

  /** Updates the entries of a slot that changed. */
  update(index: number): void {
    const slot = this.#slots[index];
    if (slot === undefined) return;
    this.#measure(index, slot);
    const first = this.#firstWithRoom;
    for (let group = 0; group < first.length; group++)
      if ((first[group] ?? 0) > index && this.#mayHold(index, group)) first[group] = index;
  }

  #measure(index: number, slot: Slot): void {
    const { frontier, groups } = this.#market;
    const { resources } = groups;
    for (let r = 0; r < resources; r++)
      this.#free[index * resources + r] =
        slot.offer < 0 ? -1 : (frontier.room[slot.offer * resources + r] ?? 0) - (slot.used[r] ?? 0);
    this.#countCaps(index, slot);
  }

  #countCaps(index: number, { group, units }: Slot): void {
    const { capMost } = this.#market.groups;
    let counted = 0;
    let full = 0;
    for (let i = 0; i < group.length; i++) counted |= this.#capsOf[group[i] ?? 0] ?? 0;
    this.#units.fill(0);
    for (let i = 0; i < group.length; i++) {
      for (let bits = this.#capsOf[group[i] ?? 0] ?? 0; bits !== 0; bits &= bits - 1) {
        const cap = lowestBit(bits);
        const sum = (this.#units[cap] ?? 0) + (units[i] ?? 0);
        this.#units[cap] = sum;
        if (sum >= Math.floor(capMost[cap] ?? 0)) full |= 1 << cap;
      }
    }
    this.#counted[index] = counted;
    this.#full[index] = full;
  }

  /** The first slot from an index on that may have room for a unit of a group; the number of slots if there is none. */
  nextFor(group: number, from: number): number {
    const known = this.#firstWithRoom[group] ?? 0;
    let index = Math.max(from, known);
    while (index < this.#full.length && !this.#mayHold(index, group)) index++;
    if (from <= known) this.#firstWithRoom[group] = index;
    return index;
  }

  /** Whether a slot may have room for a unit of a group. */
  #mayHold(index: number, group: number): boolean {
    if (((this.#full[index] ?? 0) & (this.#capsOf[group] ?? 0)) !== 0) return false;
    const { resources, size } = this.#market.groups;
    const free = this.#free;
    for (let r = 0, at = index * resources, of = group * resources; r < resources; r++, at++, of++)
      if ((size[of] ?? 0) > (free[at] ?? 0)) return false;
    return true;
  }

  /** False only if caps keep the units of two slots apart. */
  mayJoin(a: number, b: number): boolean {
    return (
      ((this.#full[a] ?? 0) & (this.#counted[b] ?? 0)) === 0 &&
      ((this.#full[b] ?? 0) & (this.#counted[a] ?? 0)) === 0
    );
  }
}

function capBits({ groups: { caps } }: Market, group: number): number {
  let bits = 0;
  for (let c = caps.start[group] ?? 0; c < (caps.start[group + 1] ?? 0); c++) {
    const cap = caps.entries[c] ?? 0;
    if (cap < capsWithBits) bits |= 1 << cap;
  }
  return bits;
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
