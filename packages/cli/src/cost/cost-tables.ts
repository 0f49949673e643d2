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
import { columnLines, type OutputColumn } from '../simulate/index.ts';
import type { CostResult } from './cost-result.ts';
import { PrintedCosts } from './printed-costs.ts';

/** Rows of each table in the summary, so that all tables fit on a screen. */
const summaryRows = 5;

const money = (title: string): OutputColumn => ({ title, align: 'right' });

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

function nodeLines(
  report: CostReport,
  grouping: NodeGrouping,
  { printed, rows }: TableOptions,
): readonly string[] {
  const groups = withOthers(nodeCostGroups(report, grouping), rows, nodeOthers);
  const { hour, month } = printed;
  const [hours, months, wastes] = [hour.ofNodes(groups), month.ofNodes(groups), month.wasteOfNodes(groups)];
  const columns: readonly OutputColumn[] = [
    { title: grouping.toUpperCase(), align: 'left', maxWidth: 60 },
    money('NODES'),
    money('$/HOUR'),
    money('$/MONTH'),
    money('WASTE $/MONTH'),
  ];
  const lines = groups.map(({ name, nodes }, index) => [
    name === '' ? '(none)' : name,
    String(nodes),
    hour.unitsText(hours[index] ?? 0),
    month.unitsText(months[index] ?? 0),
    month.unitsText(wastes[index] ?? 0),
  ]);
  const total = [
    'total',
    String(report.nodes),
    hour.unitsText(hour.total),
    month.unitsText(month.total),
    month.unitsText(month.waste),
  ];
  return columnLines(columns, [...lines, total]);
}

function podLines(
  report: CostReport,
  grouping: PodGrouping,
  { printed, rows, namespace }: TableOptions,
): readonly string[] {
  const groups = withOthers(podCostGroups(report, grouping, namespace), rows, podOthers);
  const isEverything = namespace === undefined;
  const { hour, month } = printed;
  const [hours, months] = [hour.ofPods(groups, isEverything), month.ofPods(groups, isEverything)];
  const columns: readonly OutputColumn[] = [
    { title: grouping.toUpperCase(), align: 'left', maxWidth: 60 },
    money('PODS'),
    money('$/HOUR'),
    money('$/MONTH'),
  ];
  const row = (name: string, pods: string, [hourly, monthly]: readonly [number, number]) => [
    name,
    pods,
    hour.unitsText(hourly),
    month.unitsText(monthly),
  ];
  const lines = groups.map(({ name, pods }, index) =>
    row(name, String(pods), [hours[index] ?? 0, months[index] ?? 0]),
  );
  const sums = [hours, months].map((units) => units.reduce((sum, unit) => sum + unit, 0));
  const rest = isEverything
    ? [
        row('(daemons)', '', [hour.daemons, month.daemons]),
        row('(waste)', '', [hour.waste, month.waste]),
        row('total', '', [hour.total, month.total]),
      ]
    : [row('total', '', [sums[0] ?? 0, sums[1] ?? 0])];
  return columnLines(columns, [...lines, ...rest]);
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
