import type { NodePrice, NodeRow } from '@karpenter/core/cluster-view';
import { printable } from '../screen/text.ts';
import { ageText, moneyText } from './figures.ts';

/** Columns that can be chosen. `usage` is the resource with its bar; extra labels follow all of them. */
export const columnNames = [
  'name',
  'usage',
  'pods',
  'type',
  'capacity',
  'state',
  'ready',
  'nodepool',
  'zone',
  'nodeclaim',
  'age',
  'kept',
] as const;

export type ColumnName = (typeof columnNames)[number];

/** The columns of eks-node-viewer. */
export const defaultColumns: readonly ColumnName[] = [
  'name',
  'usage',
  'pods',
  'type',
  'capacity',
  'state',
  'ready',
];

export interface ColumnContext {
  readonly now: number;
  readonly keptReason: (node: NodeRow) => string | undefined;
}

type Column = (node: NodeRow, context: ColumnContext) => string;

const columns: Readonly<Record<Exclude<ColumnName, 'usage'>, Column>> = {
  name: ({ name }) => name,
  pods: podsText,
  type: ({ instanceType, price }) => typeText(instanceType, price),
  capacity: capacityText,
  state: stateText,
  ready: readyText,
  nodepool: ({ nodePool }) => nodePool ?? '-',
  zone: ({ zone }) => zone ?? '-',
  nodeclaim: ({ nodeClaim }) => nodeClaim ?? '-',
  age: ({ createdAt }, { now }) => ageText(now - createdAt),
  kept: (node, { keptReason }) => keptReason(node) ?? '',
};

export function columnText(
  node: NodeRow,
  column: Exclude<ColumnName, 'usage'>,
  context: ColumnContext,
): string {
  return printable(columns[column](node, context));
}

function podsText({ requested, allocatable }: NodeRow): string {
  return `(${requested['pods'] ?? 0}/${allocatable['pods'] ?? 0} pods)`;
}

/** Empty while neither is known. */
function typeText(instanceType: string | undefined, price: NodePrice | undefined): string {
  if (price === undefined) return instanceType ?? '-';
  return `${instanceType ?? ''}/${moneyText(price.hourly, 4, price.isEstimated)}`;
}

const capacityTexts: Readonly<Record<string, string>> = {
  'on-demand': 'On-Demand',
  spot: 'Spot',
  reserved: 'Reserved',
  fargate: 'Fargate',
};

/** Nodes of EKS Auto Mode are marked, because their price has a fee. */
function capacityText({ capacityType, labels }: NodeRow): string {
  const text = capacityTexts[capacityType ?? ''] ?? '-';
  return labels['eks.amazonaws.com/compute-type'] === 'auto' ? `${text}/Auto` : text;
}

function stateText({ isCordoned, isDeleting }: NodeRow): string {
  if (isDeleting) return isCordoned ? 'Cordoned/Deleting' : 'Deleting';
  return isCordoned ? 'Cordoned' : '-';
}

function readyText({ isReady, readySince }: NodeRow, { now }: ColumnContext): string {
  return isReady ? 'Ready' : `NotReady/${ageText(now - readySince)}`;
}
