import { type MaskClasses, maskClasses } from './mask-classes.ts';
import type { PackingProblem } from './packing-problem.ts';

/** Many short lists of numbers in two arrays: list `i` is `entries[start[i] … start[i + 1])`. */
export interface Lists {
  readonly start: Uint32Array;
  readonly entries: Uint32Array;
}

/**
 * Items with the same size, mask, caps and conflicts, grouped. Twenty thousand pods with labels of their own are often
 * a few hundred groups, and all later work is per group.
 */
export interface ItemGroups {
  readonly length: number;
  readonly resources: number;
  /** Of one unit: group × resources + resource. */
  readonly size: Float64Array;
  readonly units: Float64Array;
  /** By group, index into `masks`. */
  readonly mask: Uint32Array;
  readonly masks: MaskClasses;
  /** By group, the indexes of its caps. */
  readonly caps: Lists;
  /** By cap, the most units on one node. */
  readonly capMost: Float64Array;
  /** By group, the groups it must not share a node with. */
  readonly conflicts: Lists;
  /** The items of each group, ascending. */
  readonly items: readonly (readonly number[])[];
}

export function groupItems(problem: PackingProblem): ItemGroups {
  const masks = maskClasses(problem.items);
  const capsOf = membership(problem.items.length, problem.caps);
  const conflictsOf = neighbours(problem);
  const items: number[][] = [];
  const groupOf = new Uint32Array(problem.items.length);
  const known = new Map<string, number>();
  problem.items.forEach(({ size }, item) => {
    const rules = `${capsOf[item] ?? ''}|${conflictsOf[item] ?? ''}`;
    const key = `${masks.of[item]}|${size.join()}|${rules}`;
    const group = known.get(key) ?? items.push([]) - 1;
    known.set(key, group);
    items[group]?.push(item);
    groupOf[item] = group;
  });
  const first = items.map((members) => members[0] ?? 0);
  return {
    length: items.length,
    resources: problem.resources,
    size: sizes(problem, first),
    units: Float64Array.from(items, (members) => sum(members, (item) => problem.items[item]?.count ?? 0)),
    mask: Uint32Array.from(first, (item) => masks.of[item] ?? 0),
    masks,
    caps: lists(first.map((item) => capsOf[item] ?? [])),
    capMost: Float64Array.from(problem.caps, (cap) => cap.most),
    conflicts: lists(first.map((item) => distinct((conflictsOf[item] ?? []).map((k) => groupOf[k] ?? 0)))),
    items,
  };
}

function sizes(problem: PackingProblem, first: readonly number[]): Float64Array {
  const size = new Float64Array(first.length * problem.resources);
  first.forEach((item, group) => {
    size.set(problem.items[item]?.size ?? [], group * problem.resources);
  });
  return size;
}

function membership(length: number, caps: PackingProblem['caps']): (number[] | undefined)[] {
  const of: (number[] | undefined)[] = new Array(length);
  caps.forEach((cap, index) => {
    for (const item of new Set(cap.items)) append(of, item, index);
  });
  return of;
}

function neighbours(problem: PackingProblem): (number[] | undefined)[] {
  const of: (number[] | undefined)[] = new Array(problem.items.length);
  for (const [a, b] of problem.conflicts) {
    if (a === b) continue;
    append(of, a, b);
    append(of, b, a);
  }
  return of.map((list) => list && distinct(list));
}

function append(of: (number[] | undefined)[], index: number, entry: number): void {
  const list = of[index];
  if (list) list.push(entry);
  else of[index] = [entry];
}

const distinct = (list: readonly number[]): number[] => [...new Set(list)].sort((a, b) => a - b);

const sum = (list: readonly number[], of: (entry: number) => number): number =>
  list.reduce((total, entry) => total + of(entry), 0);

export function lists(of: readonly (readonly number[])[]): Lists {
  const start = new Uint32Array(of.length + 1);
  of.forEach((list, index) => {
    start[index + 1] = (start[index] ?? 0) + list.length;
  });
  return { start, entries: Uint32Array.from(of.flat()) };
}
