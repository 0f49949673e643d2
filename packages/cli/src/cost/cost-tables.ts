import {
  type CostGrouping,
  type CostReport,
  type NodeCostGroup,
  type NodeGrouping,
  nodeCostGroups,
  nodeGroupings,
  type PodCostGroup,
  type PodGrouping,
  podCostGroups,
  podGroupings,
} from '@karpenter/core/cluster-view';
import { columnLines, type OutputColumn } from '../output/index.ts';
import type { CostResult } from './cost-result.ts';
import { PrintedCosts } from './printed-costs.ts';

/** Rows of each table in the summary, so that all tables fit on a screen. */
const summaryRows = 5;

/** The tables of a result: those of `--by` in full, or the largest groups of each. */
export function costTables(result: CostResult): readonly string[] {
  const { report, namespace, groupings } = result;
  const printed = { hour: new PrintedCosts(report, 'hour'), month: new PrintedCosts(report, 'month') };
  const isSummary = groupings.length === 0;
  const shown = isSummary ? defaultGroupings(namespace) : groupings;
  return shown.flatMap((grouping) => {
    const rows = isSummary ? summaryRows : Number.POSITIVE_INFINITY;
    const lines = isNodeGrouping(grouping)
      ? nodeLines(report, grouping, { printed, rows })
      : podLines(report, grouping, { printed, rows, ...(namespace !== undefined && { namespace }) });
    return ['', ...lines];
  });
}

function defaultGroupings(namespace: string | undefined): readonly CostGrouping[] {
  return namespace === undefined
    ? ['nodepool', 'capacity-type', 'zone', 'namespace', 'workload']
    : ['workload'];
}

export function isNodeGrouping(grouping: CostGrouping): grouping is NodeGrouping {
  return (nodeGroupings as readonly string[]).includes(grouping);
}

interface Printed {
  readonly hour: PrintedCosts;
  readonly month: PrintedCosts;
}

interface TableOptions {
  readonly printed: Printed;
  readonly rows: number;
  readonly namespace?: string;
}

/** A name, a count and figures per hour and month in units of the last printed digit. */
interface CostRow {
  readonly name: string;
  readonly count: string;
  readonly hour: number;
  readonly month: number;
  readonly waste?: number;
}

function nodeLines(
  report: CostReport,
  grouping: NodeGrouping,
  { printed: { hour, month }, rows }: TableOptions,
): readonly string[] {
  const groups = withOthers(nodeCostGroups(report, grouping), rows, nodeOthers);
  const [hours, months, wastes] = [hour.ofNodes(groups), month.ofNodes(groups), month.wasteOfNodes(groups)];
  const lines = groups.map(({ name, nodes }, index) => ({
    name: name === '' ? '(none)' : name,
    count: String(nodes),
    hour: hours[index] ?? 0,
    month: months[index] ?? 0,
    waste: wastes[index] ?? 0,
  }));
  const total = { name: 'total', count: String(report.nodes), hour: hour.total, month: month.total };
  return costLines([grouping, 'nodes', 'waste $/month'], [...lines, { ...total, waste: month.waste }], {
    hour,
    month,
  });
}

function podLines(
  report: CostReport,
  grouping: PodGrouping,
  { printed: { hour, month }, rows, namespace }: TableOptions,
): readonly string[] {
  const groups = withOthers(podCostGroups(report, grouping, namespace), rows, podOthers);
  const isEverything = namespace === undefined;
  const [hours, months] = [hour.ofPods(groups, isEverything), month.ofPods(groups, isEverything)];
  const lines = groups.map(({ name, pods }, index) => ({
    name,
    count: String(pods),
    hour: hours[index] ?? 0,
    month: months[index] ?? 0,
  }));
  const rest = isEverything ? overheadRows({ hour, month }) : [totalRow(hours, months)];
  return costLines([grouping, 'pods'], [...lines, ...rest], { hour, month });
}

/** What the groups of all pods leave of the total. */
function overheadRows({ hour, month }: Printed): readonly CostRow[] {
  const row = (name: string, part: 'daemons' | 'waste' | 'total') => ({
    name,
    count: '',
    hour: hour[part],
    month: month[part],
  });
  return [row('(daemons)', 'daemons'), row('(waste)', 'waste'), row('total', 'total')];
}

function totalRow(hours: readonly number[], months: readonly number[]): CostRow {
  const sum = (units: readonly number[]) => units.reduce((total, unit) => total + unit, 0);
  return { name: 'total', count: '', hour: sum(hours), month: sum(months) };
}

function costLines(
  [name, count, waste]: readonly [string, string, string?],
  rows: readonly CostRow[],
  { hour, month }: Printed,
): readonly string[] {
  const titles = [count, '$/hour', '$/month', ...(waste === undefined ? [] : [waste])];
  const columns: readonly OutputColumn[] = [
    { title: name.toUpperCase(), align: 'left', maxWidth: 60 },
    ...titles.map((title): OutputColumn => ({ title: title.toUpperCase(), align: 'right' })),
  ];
  const lines = rows.map((row) => [
    row.name,
    row.count,
    hour.unitsText(row.hour),
    month.unitsText(row.month),
    ...(row.waste === undefined ? [] : [month.unitsText(row.waste)]),
  ]);
  return columnLines(columns, lines);
}

/** Joins the smallest groups to one, so that the rows still add up. */
function withOthers<G>(groups: readonly G[], rows: number, join: (groups: readonly G[]) => G): readonly G[] {
  if (groups.length <= rows + 1) return groups;
  return [...groups.slice(0, rows), join(groups.slice(rows))];
}

function nodeOthers(groups: readonly NodeCostGroup[]): NodeCostGroup {
  const sum = (of: (group: NodeCostGroup) => number) => groups.reduce((all, group) => all + of(group), 0);
  return {
    name: `(${groups.length} others)`,
    nodes: sum(({ nodes }) => nodes),
    hourly: sum(({ hourly }) => hourly),
    workloads: sum(({ workloads }) => workloads),
    daemons: sum(({ daemons }) => daemons),
    waste: sum(({ waste }) => waste),
    onDemand: sum(({ onDemand }) => onDemand),
  };
}

function podOthers(groups: readonly PodCostGroup[]): PodCostGroup {
  const sum = (of: (group: PodCostGroup) => number) => groups.reduce((all, group) => all + of(group), 0);
  return {
    name: `(${groups.length} others)`,
    pods: sum(({ pods }) => pods),
    hourly: sum(({ hourly }) => hourly),
  };
}

export const allGroupings: readonly CostGrouping[] = [...nodeGroupings, ...podGroupings];
