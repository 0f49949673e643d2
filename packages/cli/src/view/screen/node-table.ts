import type { NodeRow } from '@karpenter/core/cluster-view';
import { percentText, usageOf } from '../nodes/figures.ts';
import { type ColumnContext, type ColumnName, columnText } from '../nodes/node-columns.ts';
import { labelText } from '../nodes/node-labels.ts';
import { bar, type Paint } from './bar.ts';
import { columnWidths, type TableRow, tableLines, tableWidth } from './table.ts';
import { type Line, plain, printable } from './text.ts';

export interface NodeTableOptions {
  readonly columns: readonly ColumnName[];
  readonly extraLabels: readonly string[];
  readonly resources: readonly string[];
  readonly paint: Paint;
  readonly context: ColumnContext;
  readonly width: number;
}

const widestBar = 40;
const narrowestBar = 12;
/** Of the bar, for a percentage on the right. */
const percentWidth = 5;
const narrowestName = 13;

/** One line for each resource of each node. On a narrow screen the bar gets shorter first, then the name. */
export function nodeTable(nodes: readonly NodeRow[], options: NodeTableOptions): readonly Line[] {
  const full = nodes.flatMap((node) => nodeRows(node, options, widestBar));
  const excess = tableWidth(columnWidths(full)) - options.width;
  const barWidth = Math.max(narrowestBar, widestBar - Math.max(0, excess));
  const rows = barWidth === widestBar ? full : nodes.flatMap((node) => nodeRows(node, options, barWidth));
  const name = options.columns.indexOf('name');
  // The resource and its bar are two cells of one column.
  const column =
    name > options.columns.indexOf('usage') && options.columns.includes('usage') ? name + 1 : name;
  return tableLines(rows, {
    width: options.width,
    shrinkable: name === -1 ? [] : [{ column, least: narrowestName }],
  });
}

function nodeRows(node: NodeRow, options: NodeTableOptions, barWidth: number): readonly TableRow[] {
  return options.resources.map((resource, index) => {
    const isFirst = index === 0;
    const cells = options.columns.flatMap((column) => {
      if (column === 'usage') return usageCells(node, { ...options, resource, barWidth });
      return [isFirst ? [plain(columnText(node, column, options.context))] : []];
    });
    const extras = isFirst ? options.extraLabels.map((key) => labelCell(node, key, options.context.now)) : [];
    return [...cells, ...extras];
  });
}

function usageCells(
  node: NodeRow,
  {
    resource,
    barWidth,
    paint,
  }: { readonly resource: string; readonly barWidth: number; readonly paint: Paint },
): readonly Line[] {
  const usage = usageOf(node, resource);
  const percent = percentText(usage).padStart(percentWidth);
  return [[plain(printable(resource))], [...bar(usage ?? 0, barWidth - percentWidth, paint), plain(percent)]];
}

function labelCell(node: NodeRow, key: string, now: number): Line {
  return [plain(printable(labelText(node, key, now)))];
}
