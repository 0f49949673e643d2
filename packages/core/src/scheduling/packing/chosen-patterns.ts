import type { Market } from './market.ts';
import type { PackedNode, Packing, PackingProblem } from './packing-problem.ts';
import type { Pattern } from './pattern-search.ts';

/** So many nodes of one pattern. */
export interface ChosenPattern {
  readonly pattern: Pattern;
  readonly times: number;
}

/** From groups back to item kinds: within a group the kinds are handed out in order. */
export function describePacking(
  problem: PackingProblem,
  market: Market,
  bought: readonly ChosenPattern[],
): Omit<Packing, 'isStopped'> {
  const unplaced = Uint32Array.from(problem.items, (item) => item.count);
  const next = new Uint32Array(market.groups.length);
  const nodes = bought.flatMap((entry) => handOut(market, entry, unplaced, next));
  return { nodes, unplaced };
}

function handOut(
  market: Market,
  { pattern, times }: ChosenPattern,
  unplaced: Uint32Array,
  next: Uint32Array,
): PackedNode[] {
  const offer = market.frontier.offer[pattern.offer] ?? 0;
  const nodes: PackedNode[] = [];
  for (let done = 0; done < times; ) {
    const alike = Math.max(1, Math.min(times - done, fullRuns(market, pattern, unplaced, next)));
    const contents: [number, number][] = [];
    for (let i = 0; i < pattern.group.length; i++) {
      const group = pattern.group[i] ?? 0;
      const kinds = market.groups.kinds[group] ?? [];
      for (let units = pattern.units[i] ?? 0; units > 0; ) {
        const kind = currentKind(kinds, group, unplaced, next);
        const part = Math.min(units, unplaced[kind] ?? 0);
        unplaced[kind] = (unplaced[kind] ?? 0) - part * alike;
        contents.push([kind, part]);
        units -= part;
      }
    }
    contents.sort((a, b) => a[0] - b[0]);
    nodes.push({ times: alike, offer, contents });
    done += alike;
  }
  return nodes;
}

/** How many nodes can be filled alike before some group goes on to its next kind. */
function fullRuns(market: Market, pattern: Pattern, unplaced: Uint32Array, next: Uint32Array): number {
  let runs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < pattern.group.length; i++) {
    const group = pattern.group[i] ?? 0;
    const kind = currentKind(market.groups.kinds[group] ?? [], group, unplaced, next);
    runs = Math.min(runs, Math.floor((unplaced[kind] ?? 0) / (pattern.units[i] ?? 1)));
  }
  return runs;
}

function currentKind(
  kinds: readonly number[],
  group: number,
  unplaced: Uint32Array,
  next: Uint32Array,
): number {
  let at = next[group] ?? 0;
  while (at < kinds.length - 1 && unplaced[kinds[at] ?? 0] === 0) at++;
  next[group] = at;
  return kinds[at] ?? 0;
}
