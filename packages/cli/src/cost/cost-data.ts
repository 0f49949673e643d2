import {
  type CostGrouping,
  type CostParts,
  hoursPerMonth,
  type NanoDollars,
  nanoPerDollar,
  nodeCostGroups,
  podCostGroups,
} from '@karpenter/core/cluster-view';
import { csvText } from '../csv.ts';
import type { CostResult } from './cost-result.ts';
import { allGroupings, isNodeGrouping } from './cost-tables.ts';

/** The report for programs, exact to a billionth of a dollar. */
export function costDocument(result: CostResult): object {
  const { report, namespace, consolidation } = result;
  const { spot, nodes, unpriced, isEstimated } = report;
  return {
    ...money(report.hourly),
    ...partsDocument(report),
    savings: money(report.onDemand - report.hourly),
    nodes,
    spot: { nodes: spot.nodes, ...money(spot.hourly) },
    isEstimated,
    unpriced: unpriced.map(({ name, instanceType }) => ({ name, instanceType })),
    ...(typeof consolidation === 'string'
      ? { consolidationSkipped: consolidation }
      : { consolidation: { ...consolidation, hourly: exact(consolidation.hourly) } }),
    ...(namespace !== undefined && { namespace }),
    by: Object.fromEntries(
      groupingsOf(result).map((grouping) => [grouping, groupDocuments(result, grouping)]),
    ),
  };
}

/** One row for each group of each grouping; daemons, waste and the total have rows of their own. */
export function costCsv(result: CostResult): string {
  const { report } = result;
  const header = ['by', 'name', 'nodes', 'pods', 'hourly', 'monthly', 'waste-hourly', 'on-demand-hourly'];
  const groups = groupingsOf(result).flatMap((grouping) => groupRows(result, grouping));
  const total = ['total', '', String(report.nodes), '', ...amounts(report.hourly), decimal(report.waste)];
  return csvText([header, ...groups, [...total, decimal(report.onDemand)]]);
}

function groupingsOf({ groupings, namespace }: CostResult): readonly CostGrouping[] {
  if (groupings.length > 0) return groupings;
  return namespace === undefined ? allGroupings : ['workload'];
}

function groupDocuments({ report, namespace }: CostResult, grouping: CostGrouping): readonly object[] {
  if (isNodeGrouping(grouping))
    return nodeCostGroups(report, grouping).map((group) => ({
      name: group.name,
      nodes: group.nodes,
      ...money(group.hourly),
      ...partsDocument(group),
    }));
  return podCostGroups(report, grouping, namespace).map(({ name, pods, hourly }) => ({
    name,
    pods,
    ...money(hourly),
  }));
}

function partsDocument({ workloads, daemons, waste, onDemand }: CostParts): object {
  return {
    workloads: money(workloads),
    daemons: money(daemons),
    waste: money(waste),
    onDemand: money(onDemand),
  };
}

function groupRows(
  { report, namespace }: CostResult,
  grouping: CostGrouping,
): readonly (readonly string[])[] {
  if (isNodeGrouping(grouping))
    return nodeCostGroups(report, grouping).map(({ name, nodes, hourly, waste, onDemand }) => [
      ...[grouping, name, String(nodes), '', ...amounts(hourly)],
      ...[decimal(waste), decimal(onDemand)],
    ]);
  const pods = podCostGroups(report, grouping, namespace).map((group) => [
    ...[grouping, group.name, '', String(group.pods), ...amounts(group.hourly), '', ''],
  ]);
  if (namespace !== undefined) return pods;
  const rest = (['daemons', 'waste'] as const).map((part) => [
    ...[grouping, `(${part})`, '', '', ...amounts(report[part]), '', ''],
  ]);
  return [...pods, ...rest];
}

function money(nano: NanoDollars): { readonly hourly: number; readonly monthly: number } {
  return { hourly: nano / nanoPerDollar, monthly: exact((nano * hoursPerMonth) / nanoPerDollar) };
}

/** By BigInt, because a month of nano-dollars may exceed the integers that a number holds exactly. */
function amounts(nano: NanoDollars): readonly string[] {
  return [decimal(nano), (Number(BigInt(nano) * BigInt(hoursPerMonth)) / nanoPerDollar).toFixed(9)];
}

function decimal(nano: NanoDollars): string {
  return (nano / nanoPerDollar).toFixed(9);
}

/** To a billionth, without the noise of binary fractions. */
function exact(dollars: number): number {
  return Number(dollars.toFixed(9));
}
