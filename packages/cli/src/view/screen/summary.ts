import { hoursPerMonth, type PodCounts, type Totals } from '@karpenter/core/cluster-view';
import { moneyText, quantityText, usageOf } from '../nodes/figures.ts';
import type { ViewModel } from '../nodes/view-model.ts';
import { bar, type Paint, usageStyle } from './bar.ts';
import { columnWidths, type TableRow, tableLines, tableWidth } from './table.ts';
import { type Line, plain, printable, styled } from './text.ts';

export interface SummaryOptions {
  readonly resources: readonly string[];
  readonly isPricing: boolean;
  readonly paint: Paint;
  readonly width: number;
}

const widestBar = 40;
const narrowestBar = 8;

/** One line for each resource; the first has the number of nodes and their price. */
export function summaryLines(model: ViewModel, options: SummaryOptions): readonly Line[] {
  const { width } = options;
  const full = summaryRows(model, options, widestBar);
  const excess = tableWidth(columnWidths(full)) - width;
  if (excess <= 0) return tableLines(full, { width, shrinkable: [] });
  const barWidth = Math.max(narrowestBar, widestBar - excess);
  return tableLines(summaryRows(model, options, barWidth), { width, shrinkable: [] });
}

function summaryRows(
  { totals, isEstimated }: ViewModel,
  { resources, isPricing, paint }: SummaryOptions,
  barWidth: number,
): readonly TableRow[] {
  return resources.map((resource, index) => {
    const usage = usageOf(totals, resource) ?? 0;
    return [
      index === 0 ? [plain(counted(totals.nodes, 'node'))] : [],
      [plain(`(${amounts(totals, resource)})`)],
      [styled(`${(usage * 100).toFixed(1)}%`, usageStyle(usage, paint))],
      [plain(printable(resource))],
      bar(usage, barWidth, paint),
      index === 0 && isPricing ? [plain(priceText(totals, isEstimated))] : [],
    ];
  });
}

/** Empty while no node has a price. */
export function priceText({ hourly, unpriced, nodes }: Totals, isEstimated: boolean): string {
  if (unpriced === nodes) return '';
  const price = `${moneyText(hourly, 3, isEstimated)}/hour | ${moneyText(hourly * hoursPerMonth, 3, isEstimated)}/month`;
  return unpriced === 0 ? price : `${price} (${unpriced} unpriced)`;
}

export function amounts(totals: Totals, resource: string): string {
  const text = (of: Totals['requested']) => quantityText(resource, of[resource] ?? 0);
  return `${text(totals.requested)}/${text(totals.allocatable)}`;
}

export function podLine({ total, pending, running, bound }: PodCounts): string {
  return `${counted(total, 'pod')} (${pending} pending ${running} running ${bound} bound)`;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
