import { type CostReport, nanoPerDollar } from '@karpenter/core/cluster-view';
import { columnLines } from '../output/index.ts';
import type { ConsolidationSavings } from './consolidation-savings.ts';
import type { CostResult } from './cost-result.ts';
import { costTables } from './cost-tables.ts';
import { PrintedCosts } from './printed-costs.ts';

/** The report for people. */
export function costText(result: CostResult): string {
  const { report } = result;
  const head = result.namespace === undefined ? headLines(result) : [];
  const lines = [...head, ...costTables(result), ...noteLines(report)];
  return `${lines.join('\n').trimStart()}\n`;
}

function headLines({ report, consolidation }: CostResult): readonly string[] {
  const hour = new PrintedCosts(report, 'hour');
  const month = new PrintedCosts(report, 'month');
  const row = (name: string, part: 'workloads' | 'daemons' | 'waste' | 'total', remark = '') => [
    name,
    hour.unitsText(hour[part]),
    month.unitsText(month[part]),
    share(hour[part], hour.total),
    remark,
  ];
  const table = columnLines(
    [
      { title: 'COST', align: 'left' },
      { title: '$/HOUR', align: 'right' },
      { title: '$/MONTH', align: 'right' },
      { title: 'SHARE', align: 'right' },
      { title: '', align: 'left' },
    ],
    [
      row('workloads', 'workloads'),
      row('daemons', 'daemons', 'DaemonSets and static pods'),
      row('waste', 'waste', 'paid but requested by no pod'),
      row('total', 'total', `${report.nodes} ${report.nodes === 1 ? 'node' : 'nodes'}`),
    ],
  );
  return [...table, '', spotLine(report, hour, month), consolidationLine(consolidation, hour, month)];
}

function spotLine({ spot, nodes, hourly }: CostReport, hour: PrintedCosts, month: PrintedCosts): string {
  const saved = `$${hour.unitsText(hour.saved)}/hour, $${month.unitsText(month.saved)}/month`;
  return `Spot: ${spot.nodes} of ${nodes} nodes, ${share(spot.hourly, hourly)} of the price. Saved against on-demand: ${saved}.`;
}

function consolidationLine(
  found: ConsolidationSavings | string,
  hour: PrintedCosts,
  month: PrintedCosts,
): string {
  if (typeof found === 'string') return `Consolidation was not looked at: ${found}.`;
  const nano = Math.round(found.hourly * nanoPerDollar);
  if (found.candidates === 0) return 'Consolidation saves nothing now: no node may be disrupted.';
  if (found.deleted + found.replaced === 0) return 'Consolidation finds nothing to save now.';
  return `Consolidation could still save $${hour.text(nano)}/hour, $${month.text(nano)}/month: ${found.deleted} of ${found.candidates} candidates deleted, ${found.replaced} replaced.`;
}

function noteLines({ unpriced, isEstimated }: CostReport): readonly string[] {
  const types = [...new Set(unpriced.map(({ instanceType }) => instanceType ?? 'unknown type'))];
  const nodes = unpriced.length === 1 ? 'One node has' : `${unpriced.length} nodes have`;
  return [
    ...(unpriced.length > 0
      ? [
          '',
          `${nodes} no known price and ${unpriced.length === 1 ? 'is' : 'are'} not included: ${types.join(', ')}.`,
        ]
      : []),
    ...(isEstimated ? ['', 'Some prices are estimates: docs/viewing.md says which.'] : []),
  ];
}

function share(part: number, total: number): string {
  return total === 0 ? '0%' : `${Math.round((part / total) * 100)}%`;
}
