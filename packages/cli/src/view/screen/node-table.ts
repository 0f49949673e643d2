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

const narrowestReason = 30;

/**
 * One line for each resource of each node. On a narrow screen the bar gets shorter first, then a long reason why a
 * node is kept, then the name. The bar gives way to its percentage only if everything fits then.
 */
export function nodeTable(nodes: readonly NodeRow[], options: NodeTableOptions): readonly Line[] {
  const full = nodes.flatMap((node) => nodeRows(node, options, widestBar));
  const widths = columnWidths(full);
  const kept = widths.length - 1;
  const name = nameCell(options.columns);
  const isKeptShown = options.columns.includes('kept');
  if (isKeptShown) widths[kept] = Math.min(widths[kept] ?? 0, narrowestReason);
  const barWidth = fittingBar(tableWidth(widths) - options.width, widths[name] ?? 0);
  const rows = barWidth === widestBar ? full : nodes.flatMap((node) => nodeRows(node, options, barWidth));
  return tableLines(rows, {
    width: options.width,
    shrinkable: [
      ...(isKeptShown ? [{ column: kept, least: narrowestReason }] : []),
      ...(name === -1 ? [] : [{ column: name, least: narrowestName }]),
    ],
  });
}

/** The bar for a table that is `excess` cells too wide with the widest one. */
function fittingBar(excess: number, nameWidth: number): number {
  const bar = Math.max(narrowestBar, widestBar - Math.max(0, excess));
  const cutFromName = Math.max(0, nameWidth - narrowestName);
  const left = excess - (widestBar - bar) - cutFromName;
  return left > 0 && bar - left >= percentWidth ? bar - left : bar;
}

/** The resource and its bar are two cells of one column. */
function nameCell(columns: readonly ColumnName[]): number {
  const shown = columns.filter((column) => column !== 'kept');
  return shown.flatMap((column) => (column === 'usage' ? ['usage', 'bar'] : [column])).indexOf('name');
}

/** Reasons why nodes are kept may be sentences, so they come last, after the labels. */
function nodeRows(node: NodeRow, options: NodeTableOptions, barWidth: number): readonly TableRow[] {
  const { columns, extraLabels, context } = options;
  return options.resources.map((resource, index) => {
    const text = (column: Exclude<ColumnName, 'usage'>): Line =>
      index === 0 ? [plain(columnText(node, column, context))] : [];
    const cells = columns.flatMap((column) => {
      if (column === 'usage') return usageCells(node, { ...options, resource, barWidth });
      return column === 'kept' ? [] : [text(column)];
    });
    const labels =
      index === 0 ? extraLabels.map((key) => labelCell(node, key, context.now)) : extraLabels.map(() => []);
    return [...cells, ...labels, ...(columns.includes('kept') ? [text('kept')] : [])];
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
