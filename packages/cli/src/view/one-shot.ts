import { hoursPerMonth, type NodeRow, totalsOf } from '@karpenter/core/cluster-view';
import { csvText } from '../csv.ts';
import { columnLines, type DataFormat, documentText, listText, type OutputColumn } from '../output/index.ts';
import { percentText, quantityText, usageOf } from './nodes/figures.ts';
import { type ColumnContext, columnNames, columnText } from './nodes/node-columns.ts';
import { grouped } from './nodes/node-groups.ts';
import { labelText } from './nodes/node-labels.ts';
import type { ViewModel } from './nodes/view-model.ts';
import { amounts, counted, podLine, priceText } from './screen/summary.ts';
import { printable } from './screen/text.ts';
import type { ViewSettings } from './settings/view-settings.ts';

export type OneShotFormat = 'table' | 'wide' | 'csv' | DataFormat;

export interface OneShot {
  readonly model: ViewModel;
  readonly settings: ViewSettings;
  readonly context: ColumnContext;
}

export const oneShotWriters: Readonly<Record<OneShotFormat, (input: OneShot) => string>> = {
  table: tableText,
  wide: (input) => tableText({ ...input, settings: { ...input.settings, columns: columnNames } }),
  json: (input) => documentText(exact(document(input)), 'json'),
  jsonl: (input) => listText(exact(nodeDocuments(input)), 'jsonl'),
  yaml: (input) => documentText(exact(document(input)), 'yaml'),
  csv: (input) => csvText(csvRows(input)),
};

function tableText({ model, settings, context }: OneShot): string {
  const { totals, isEstimated, pods } = model;
  const used = settings.resources.map((name) => {
    const percent = ((usageOf(totals, name) ?? 0) * 100).toFixed(1);
    return `${name} ${amounts(totals, name)} ${percent}%`;
  });
  const price = settings.isPricing ? [priceText(totals, isEstimated)] : [];
  const summary = [counted(totals.nodes, 'node'), ...used, ...price].filter((part) => part !== '');
  const groups =
    settings.groupBy === undefined ? [['', model.nodes] as const] : grouped(model.nodes, settings.groupBy);
  const tables = groups.map(([name, nodes]) => nodeLines(name, nodes, { model, settings, context }));
  return `${[summary.join('  '), podLine(pods), ...tables.flatMap((lines) => ['', ...lines])].join('\n')}\n`;
}

function nodeLines(
  group: string,
  nodes: readonly NodeRow[],
  { settings, context }: OneShot,
): readonly string[] {
  if (nodes.length === 0) return ['No nodes found.'];
  const { resources, extraLabels, isPricing, groupBy } = settings;
  const shown = settings.columns.filter((name) => name !== 'usage');
  const titles = [...shown, ...resources, ...extraLabels].map((title) => title.toUpperCase());
  const columns = titles.map((title): OutputColumn => ({ title, align: 'left' }));
  const rows = nodes.map((node) => [
    ...shown.map((name) => columnText(node, name, context)),
    ...resources.map((name) => `${amountsOf(node, name)} ${percentText(usageOf(node, name))}`),
    ...extraLabels.map((key) => printable(labelText(node, key, context.now))),
  ]);
  const lines = columnLines(columns, rows);
  if (groupBy === undefined) return lines;
  const totals = totalsOf(nodes);
  const price = isPricing
    ? `  ${priceText(
        totals,
        nodes.some(({ price: own }) => own?.isEstimated === true),
      )}`
    : '';
  return [`${group === '' ? '(none)' : group}: ${counted(nodes.length, 'node')}${price}`, ...lines];
}

function amountsOf(node: NodeRow, resource: string): string {
  const text = (of: NodeRow['requested']) => quantityText(resource, of[resource] ?? 0);
  return `${text(node.requested)}/${text(node.allocatable)}`;
}

function document({ model, settings, context }: OneShot): object {
  const { nodes, pods, isEstimated } = model;
  const { groupBy } = settings;
  return {
    totals: { ...totalsDocument(nodes, settings), isEstimated, pods },
    ...(groupBy !== undefined && {
      groups: grouped(nodes, groupBy).map(([name, members]) => ({
        name,
        ...totalsDocument(members, settings),
      })),
    }),
    nodes: nodeDocuments({ model, settings, context }),
  };
}

function nodeDocuments({ model, settings, context }: OneShot): readonly object[] {
  return model.nodes.map((node) => nodeDocument(node, settings, context));
}

function totalsDocument(nodes: readonly NodeRow[], { isPricing }: ViewSettings): object {
  const { requested, allocatable, hourly, onDemandHourly, unpriced } = totalsOf(nodes);
  const price = { hourly, monthly: hourly * hoursPerMonth, onDemandHourly, unpricedNodes: unpriced };
  return { nodes: nodes.length, requested, allocatable, ...(isPricing && price) };
}

function nodeDocument(
  node: NodeRow,
  { extraLabels, isPricing }: ViewSettings,
  context: ColumnContext,
): object {
  const { name, nodeName, nodeClaim, nodePool, instanceType, capacityType, zone, id } = node;
  const { phase, isReady, isCordoned, isDeleting, createdAt, requested, allocatable, price } = node;
  return {
    name,
    id,
    ...{ nodeName, nodeClaim, nodePool, instanceType, capacityType, zone },
    ...{ phase, isReady, isCordoned, isDeleting, createdAt: new Date(createdAt).toISOString() },
    requested,
    allocatable,
    ...(isPricing && price !== undefined && { price }),
    ...(extraLabels.length > 0 && {
      labels: Object.fromEntries(extraLabels.map((key) => [key, labelText(node, key, context.now)])),
    }),
    keptReason: context.keptReason(node),
  };
}

function csvRows({ model, settings, context }: OneShot): readonly (readonly string[])[] {
  const { resources, extraLabels, isPricing } = settings;
  const texts = columnNames.filter((name) => name !== 'usage' && name !== 'type' && name !== 'pods');
  const header = [
    ...texts,
    'instance-type',
    ...(isPricing ? ['hourly', 'on-demand-hourly', 'estimated'] : []),
    ...resources.flatMap((name) => [`${name}-requested`, `${name}-allocatable`]),
    'pods',
    ...extraLabels,
  ];
  const rows = model.nodes.map((node) => [
    ...texts.map((name) => columnText(node, name, context)),
    node.instanceType ?? '',
    ...(isPricing ? priceCells(node) : []),
    ...resources.flatMap((name) => [node.requested[name] ?? 0, node.allocatable[name] ?? 0].map(numberText)),
    String(node.requested['pods'] ?? 0),
    ...extraLabels.map((key) => labelText(node, key, context.now)),
  ]);
  return [header, ...rows];
}

/** Without the last digits of binary fractions: 0.30000000000000004 is 0.3. Whole numbers stay exact. */
function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

/** As JSON has it, without absent members and without noise in numbers. */
function exact<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_key, inner) => (typeof inner === 'number' ? rounded(inner) : inner)),
  );
}

function numberText(value: number): string {
  return String(rounded(value));
}

function priceCells({ price }: NodeRow): readonly string[] {
  if (price === undefined) return ['', '', ''];
  const onDemand = price.onDemand === undefined ? '' : String(price.onDemand);
  return [String(price.hourly), onDemand, String(price.isEstimated === true)];
}
