import { type ItemGroups, type Lists, lists } from '../item-groups.ts';

/**
 * The demand of a packing as rows of a linear programme. With few groups one row each, which is exact. With
 * many, one row for each mask and resource (the sum of sizes) and for each scarce cap (the number of units):
 * an item is then worth what its resources are worth to its mask, plus what its place under the cap is worth.
 */
export interface DemandRows {
  readonly length: number;
  /** Whether each group has a row of its own, so that patterns of a solution can be bought as they are. */
  readonly isExact: boolean;
  /** Rows that a group counts in. */
  readonly of: Lists;
  /** How much one unit adds, beside `of.entries`, in parts of the row's whole demand. */
  readonly part: Float64Array;
  /**
   * A number for groups whose worth depends on more than their size, different for each cause; otherwise −1.
   */
  readonly apart: Int32Array;
}

/** With up to 180 rows for groups, solving took six times as long and plans cost up to 2 % more (ADR 0057). */
const maxGroupRows = 64;
/** Masks beyond these, which have the most units, share one more set of rows. */
const maxMaskRows = 20;
const maxCapRows = 12;
const maxOwnRows = 40;

export function demandRows(groups: ItemGroups): DemandRows {
  if (groups.length <= maxGroupRows) return rowPerGroup(groups);
  const { resources } = groups;
  const maskRank = ranks(
    unitsBy(groups, groups.masks.length, (group) => [groups.mask[group] ?? 0]),
    maxMaskRows,
  );
  const capRank = ranks(pressure(groups), maxCapRows);
  const cap = Int32Array.from({ length: groups.length }, (_, group) => scarcestCap(groups, group, capRank));
  const own = ownRows(cap);
  const rows = Array.from({ length: groups.length }, (_, group) => {
    const ownRow = own.get(group);
    if (ownRow !== undefined) return [ownRow + firstOwnRow];
    const mask = maskRank[groups.mask[group] ?? 0] ?? 0;
    const sized = Array.from({ length: resources }, (_, r) => firstSizeRow + mask * resources + r).filter(
      (_, r) => (groups.size[group * resources + r] ?? 0) > 0,
    );
    const capRow = cap[group] ?? -1;
    return capRow < 0 ? sized : [...sized, capRow];
  });
  for (const [group, row] of own) cap[group] = firstOwnRow + row;
  return { ...numbered(groups, rows), isExact: false, apart: cap };
}

/** Row numbers before unused ones are dropped: caps, then single groups, then sizes by mask. */
const firstOwnRow = maxCapRows;
const firstSizeRow = firstOwnRow + maxOwnRows;

/**
 * The groups of the scarcest caps get a row each while there are rows left: if a cap decides the number of
 * nodes, each of its groups has a worth of its own, and a sum would be covered by the group that is easiest
 * to pack.
 */
function ownRows(cap: Int32Array): Map<number, number> {
  const own = new Map<number, number>();
  for (let rank = 0; rank < maxCapRows; rank++) {
    const members = Array.from(cap.keys()).filter((group) => cap[group] === rank);
    if (own.size + members.length > maxOwnRows) break;
    for (const group of members) own.set(group, own.size);
  }
  return own;
}

function rowPerGroup(groups: ItemGroups): DemandRows {
  const of = lists(Array.from({ length: groups.length }, (_, group) => [group]));
  const part = Float64Array.from(groups.units, (units) => (units > 0 ? 1 / units : 0));
  return { length: groups.length, isExact: true, of, part, apart: new Int32Array(groups.length).fill(-1) };
}

/** Units under each cap divided by its maximum per node: the number of nodes that the cap needs. */
function pressure(groups: ItemGroups): Float64Array {
  const units = unitsBy(groups, groups.capMost.length, (group) => capsOf(groups, group));
  return units.map((all, cap) => all / Math.max(1, groups.capMost[cap] ?? 1));
}

const capsOf = (groups: ItemGroups, group: number): Uint32Array =>
  groups.caps.entries.subarray(groups.caps.start[group], groups.caps.start[group + 1]);

function unitsBy(groups: ItemGroups, length: number, of: (group: number) => Iterable<number>): Float64Array {
  const units = new Float64Array(length);
  for (let group = 0; group < groups.length; group++)
    for (const index of of(group)) units[index] = (units[index] ?? 0) + (groups.units[group] ?? 0);
  return units;
}

/** The rank of each index by falling amount; all after the `most` largest share the last rank. */
function ranks(amounts: Float64Array, most: number): Int32Array {
  const order = Array.from(amounts.keys()).sort((a, b) => (amounts[b] ?? 0) - (amounts[a] ?? 0) || a - b);
  const rank = new Int32Array(amounts.length);
  order.forEach((index, position) => {
    rank[index] = Math.min(position, most);
  });
  return rank;
}

function scarcestCap(groups: ItemGroups, group: number, rank: Int32Array): number {
  let scarcest = maxCapRows;
  for (const cap of capsOf(groups, group)) scarcest = Math.min(scarcest, rank[cap] ?? maxCapRows);
  return scarcest < maxCapRows ? scarcest : -1;
}

function numbered(
  groups: ItemGroups,
  sparse: readonly (readonly number[])[],
): Omit<DemandRows, 'apart' | 'isExact'> {
  const used = [...new Set(sparse.flat())].sort((a, b) => a - b);
  const number = new Map(used.map((row, index) => [row, index]));
  const of = lists(sparse.map((rows) => rows.map((row) => number.get(row) ?? 0)));
  const amounts = sparse.map((rows, group) => rows.map((row) => amount(groups, group, row)));
  const whole = new Float64Array(used.length);
  sparse.forEach((rows, group) => {
    rows.forEach((row, i) => {
      const index = number.get(row) ?? 0;
      whole[index] = (whole[index] ?? 0) + (amounts[group]?.[i] ?? 0) * (groups.units[group] ?? 0);
    });
  });
  const part = Float64Array.from(amounts.flat(), (each, i) => each / (whole[of.entries[i] ?? 0] || 1));
  return { length: used.length, of, part };
}

/** What one unit of a group adds to a row: its size of the resource, or one. */
function amount(groups: ItemGroups, group: number, row: number): number {
  if (row < firstSizeRow) return 1;
  return groups.size[group * groups.resources + ((row - firstSizeRow) % groups.resources)] ?? 0;
}
