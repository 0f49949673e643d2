import { endsStep } from '../../../yielding/index.ts';
import { comparePrices } from '../cost.ts';
import type { Market } from '../market.ts';
import { type Slot, shift, shrinkSlot, spare, usedBy } from './slot.ts';
import { SlotTable } from './slot-table.ts';

/** How many target slots are tried for each unit of the packing; bounds the time (ADR 0057). */
const trialsPerUnit = 400;

interface Move {
  /** Index of the slot. */
  readonly to: number;
  readonly group: number;
  readonly units: number;
}

/** Moves the units of the slots with the least value for their price to other slots, where that lowers the price. */
export class SlotEmptying {
  readonly #market: Market;
  readonly #slots: readonly Slot[];
  readonly #worth: Float64Array;
  readonly #table: SlotTable;

  constructor(market: Market, slots: readonly Slot[], worth: Float64Array) {
    this.#market = market;
    this.#slots = slots;
    this.#worth = worth;
    this.#table = new SlotTable(market, slots);
  }

  *run(): Generator<void> {
    const worst = this.#worstFirst();
    let trialsLeft = trialsPerUnit * this.#market.groups.units.reduce((sum, each) => sum + each, 0);
    for (const [i, index] of worst.entries()) {
      const slot = this.#slots[index];
      if (slot === undefined) continue;
      trialsLeft -= slot.group.length * worst.length;
      if (slot.offer >= 0) this.#empty(index, slot);
      if (trialsLeft <= 0) return;
      if (endsStep(i, 'medium')) yield;
    }
  }

  #worstFirst(): readonly number[] {
    const ratio = this.#slots.map((slot) => this.#price(slot) / (this.#value(slot) + 1e-12));
    const present = [...this.#slots.keys()].filter((index) => (this.#slots[index]?.offer ?? -1) >= 0);
    return present.sort((a, b) => (ratio[b] ?? 0) - (ratio[a] ?? 0) || a - b);
  }

  #price({ offer }: Slot): number {
    return this.#market.frontier.price[offer] ?? 0;
  }

  #value({ group, units }: Slot): number {
    let value = 0;
    for (let i = 0; i < group.length; i++) value += (this.#worth[group[i] ?? 0] ?? 0) * (units[i] ?? 0);
    return value;
  }

  #empty(index: number, slot: Slot): void {
    const before = this.#price(slot);
    const moves: Move[] = [];
    for (const group of [...slot.group]) this.#moveOut(index, group, moves);
    if (moves.length === 0) return;
    shrinkSlot(this.#market, slot);
    if (slot.offer >= 0 && comparePrices(this.#price(slot), before) >= 0) this.#undo(slot, moves);
    this.#table.update(index);
  }

  #undo(slot: Slot, moves: readonly Move[]): void {
    for (const { to, group, units } of moves) {
      this.#put(to, group, -units);
      shift(this.#market, slot, { group, units });
    }
    slot.used = usedBy(this.#market, slot.group, slot.units);
  }

  /** Moves units of a group to other slots, in their order. */
  #moveOut(index: number, group: number, moves: Move[]): void {
    const slot = this.#slots[index];
    let left = slot?.units[slot.group.indexOf(group)] ?? 0;
    const last = this.#slots.length;
    for (let to = this.#table.nextFor(group, 0); to < last; to = this.#table.nextFor(group, to + 1)) {
      if (left <= 0) return;
      if (to === index) continue;
      const other = this.#slots[to];
      const units = other === undefined ? 0 : Math.min(left, spare(this.#market, other, group));
      if (slot === undefined || units <= 0) continue;
      this.#put(to, group, units);
      shift(this.#market, slot, { group, units: -units });
      moves.push({ to, group, units });
      left -= units;
    }
  }

  #put(to: number, group: number, units: number): void {
    const slot = this.#slots[to];
    if (slot === undefined) return;
    shift(this.#market, slot, { group, units });
    this.#table.update(to);
  }
}
