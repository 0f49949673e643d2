import type { Market } from './market.ts';
import type { PackedNode, Packing, PackingProblem } from './packing-problem.ts';
import type { Pattern } from './patterns/pattern-search.ts';

/** A number of nodes with the same pattern. */
export interface ChosenPattern {
  readonly pattern: Pattern;
  readonly times: number;
}

/** Translates groups back to items: within a group the items are assigned in order. */
export function describePacking(
  problem: PackingProblem,
  market: Market,
  chosen: readonly ChosenPattern[],
): Omit<Packing, 'isStopped'> {
  const unplaced = Uint32Array.from(problem.items, (item) => item.count);
  const left = { unplaced, next: new Uint32Array(market.groups.length) };
  const nodes = chosen.flatMap((entry) => assignItems(market, entry, left));
  return { nodes, unplaced };
}

/** The units of each item that have no node yet. */
interface UnitsLeft {
  readonly unplaced: Uint32Array;
  /** By group, which of its items is assigned next. */
  readonly next: Uint32Array;
}

function assignItems(market: Market, { pattern, times }: ChosenPattern, left: UnitsLeft): PackedNode[] {
  const { unplaced } = left;
  const offer = market.frontier.offer[pattern.offer] ?? 0;
  const nodes: PackedNode[] = [];
  for (let done = 0; done < times; ) {
    const alike = Math.max(1, Math.min(times - done, fullRuns(market, pattern, left)));
    const contents: [number, number][] = [];
    for (let i = 0; i < pattern.group.length; i++) {
      const group = pattern.group[i] ?? 0;
      const items = market.groups.items[group] ?? [];
      for (let units = pattern.units[i] ?? 0; units > 0; ) {
        const item = currentItem(items, group, left);
        const part = Math.min(units, unplaced[item] ?? 0);
        unplaced[item] = (unplaced[item] ?? 0) - part * alike;
        contents.push([item, part]);
        units -= part;
      }
    }
    contents.sort((a, b) => a[0] - b[0]);
    nodes.push({ times: alike, offer, contents });
    done += alike;
  }
  return nodes;
}

/** How many nodes get the same items before some group goes on to its next item. */
function fullRuns(market: Market, pattern: Pattern, left: UnitsLeft): number {
  let runs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < pattern.group.length; i++) {
    const group = pattern.group[i] ?? 0;
    const item = currentItem(market.groups.items[group] ?? [], group, left);
    runs = Math.min(runs, Math.floor((left.unplaced[item] ?? 0) / (pattern.units[i] ?? 1)));
  }
  return runs;
}

function currentItem(items: readonly number[], group: number, { unplaced, next }: UnitsLeft): number {
  let at = next[group] ?? 0;
  while (at < items.length - 1 && unplaced[items[at] ?? 0] === 0) at++;
  next[group] = at;
  return items[at] ?? 0;
}
