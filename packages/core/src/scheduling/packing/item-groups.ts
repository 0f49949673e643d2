import { type MaskClasses, maskClasses } from './mask-classes.ts';
import type { PackingProblem } from './packing-problem.ts';

/** Many short lists of numbers in two arrays: list `i` is `entries[start[i] … start[i + 1])`. */
export interface Lists {
  readonly start: Uint32Array;
  readonly entries: Uint32Array;
}

/**
 * Item kinds with the same size, mask, caps and conflicts, grouped. Twenty thousand pods with labels of their
 * own are often a few hundred groups, and all later work is per group.
 */
export interface ItemGroups {
  readonly length: number;
  readonly resources: number;
  /** Group by group, resource by resource. */
  readonly size: Float64Array;
  readonly units: Float64Array;
  readonly mask: Uint32Array;
  readonly masks: MaskClasses;
  readonly caps: Lists;
  readonly capMost: Float64Array;
  readonly conflicts: Lists;
  /** The item kinds of each group, ascending. */
  readonly kinds: readonly (readonly number[])[];
}

export function groupItems(problem: PackingProblem): ItemGroups {
  const masks = maskClasses(problem.items);
  const capsOf = membership(problem.items.length, problem.caps);
  const conflictsOf = neighbours(problem);
  const kinds: number[][] = [];
  const groupOf = new Uint32Array(problem.items.length);
  const known = new Map<string, number>();
  problem.items.forEach((item, kind) => {
    const rules = `${capsOf[kind] ?? ''}|${conflictsOf[kind] ?? ''}`;
    const key = `${masks.of[kind]}|${item.size.join()}|${rules}`;
    const group = known.get(key) ?? kinds.push([]) - 1;
    known.set(key, group);
    kinds[group]?.push(kind);
    groupOf[kind] = group;
  });
  const first = kinds.map((members) => members[0] ?? 0);
  return {
    length: kinds.length,
    resources: problem.resources,
    size: sizes(problem, first),
    units: Float64Array.from(kinds, (members) => sum(members, (kind) => problem.items[kind]?.count ?? 0)),
    mask: Uint32Array.from(first, (kind) => masks.of[kind] ?? 0),
    masks,
    caps: lists(first.map((kind) => capsOf[kind] ?? [])),
    capMost: Float64Array.from(problem.caps, (cap) => cap.most),
    conflicts: lists(first.map((kind) => distinct((conflictsOf[kind] ?? []).map((k) => groupOf[k] ?? 0)))),
    kinds,
  };
}

function sizes(problem: PackingProblem, first: readonly number[]): Float64Array {
  const size = new Float64Array(first.length * problem.resources);
  first.forEach((kind, group) => {
    size.set(problem.items[kind]?.size ?? [], group * problem.resources);
  });
  return size;
}

function membership(length: number, caps: PackingProblem['caps']): (number[] | undefined)[] {
  const of: (number[] | undefined)[] = new Array(length);
  caps.forEach((cap, index) => {
    for (const kind of new Set(cap.items)) append(of, kind, index);
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
