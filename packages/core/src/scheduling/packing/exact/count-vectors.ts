/**
 * All vectors of counts from nothing up to some number of units of each group, numbered in mixed radix. Units
 * of a group are equal, so a part of them is a number and not a subset.
 */
export class CountVectors {
  /** The groups, each once. */
  readonly groups: readonly number[];
  /** Units of each group. */
  readonly units: readonly number[];
  /** How far apart the numbers of vectors are that differ by one unit of a group. */
  readonly stride: readonly number[];
  readonly length: number;

  constructor(counts: ReadonlyMap<number, number>) {
    this.groups = [...counts.keys()].sort((a, b) => a - b);
    this.units = this.groups.map((group) => counts.get(group) ?? 0);
    const stride: number[] = [];
    let length = 1;
    for (const units of this.units) {
      stride.push(length);
      length *= units + 1;
    }
    this.stride = stride;
    this.length = length;
  }

  /** How many units of a group, by its position in `groups`, a vector has. */
  count(vector: number, position: number): number {
    return Math.floor(vector / (this.stride[position] ?? 1)) % ((this.units[position] ?? 0) + 1);
  }

  /** The units of a vector by group, without groups that it has none of. */
  countsOf(vector: number): ReadonlyMap<number, number> {
    const counts = this.groups.map((group, position) => [group, this.count(vector, position)] as const);
    return new Map(counts.filter(([, count]) => count > 0));
  }

  /** The number of the vector with all units. */
  get all(): number {
    return this.length - 1;
  }
}

/** How many vectors there are for these counts, without numbering them. */
export function vectorsFor(counts: ReadonlyMap<number, number>): number {
  let length = 1;
  for (const units of counts.values()) length *= units + 1;
  return length;
}
