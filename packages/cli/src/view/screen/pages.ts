import { type NodeRow, type Totals, totalsOf } from '@karpenter/core/cluster-view';
import { grouped } from '../nodes/node-groups.ts';

/** A group with its nodes on one page; the totals are of the whole group. */
export interface PageGroup {
  /** Absent without grouping. */
  readonly name?: string;
  readonly totals?: Totals;
  readonly isEstimated?: boolean;
  readonly nodes: readonly NodeRow[];
}

export type Page = readonly PageGroup[];

export interface PageOptions {
  readonly groupBy: string | undefined;
  /** Lines for nodes and the headers of groups. */
  readonly lines: number;
  readonly linesPerNode: number;
}

/** Divides nodes into pages. A group that goes on to the next page has its header there again. */
export function pagesOf(nodes: readonly NodeRow[], options: PageOptions): readonly Page[] {
  const { groupBy, lines, linesPerNode } = options;
  if (groupBy === undefined) {
    const perPage = Math.max(1, Math.floor(lines / linesPerNode));
    return chunks(nodes, perPage).map((page) => [{ nodes: page }]);
  }
  const pages: PageGroup[][] = [];
  let left = 0;
  for (const [name, members] of grouped(nodes, groupBy)) {
    const header = { name, totals: totalsOf(members), isEstimated: isAnyEstimated(members) };
    for (let start = 0; start < members.length; ) {
      if (left < 1 + linesPerNode) left = newPage(pages, lines);
      const count = Math.max(1, Math.floor((left - 1) / linesPerNode));
      const shown = members.slice(start, start + count);
      pages.at(-1)?.push({ ...header, nodes: shown });
      left -= 1 + shown.length * linesPerNode;
      start += shown.length;
    }
  }
  return pages;
}

function newPage(pages: PageGroup[][], lines: number): number {
  pages.push([]);
  return lines;
}

function chunks(nodes: readonly NodeRow[], size: number): readonly (readonly NodeRow[])[] {
  const count = Math.ceil(nodes.length / size);
  return Array.from({ length: count }, (_, index) => nodes.slice(index * size, (index + 1) * size));
}

function isAnyEstimated(nodes: readonly NodeRow[]): boolean {
  return nodes.some(({ price }) => price?.isEstimated === true);
}
