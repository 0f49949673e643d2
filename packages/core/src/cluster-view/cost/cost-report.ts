import type { ClusterView } from '../cluster-view.ts';
import type { NodeRow } from '../node-row.ts';
import type { PodRow } from '../pod-row.ts';
import { type NanoDollars, type NodeCost, nodeCost } from './node-cost.ts';

/** Ways to divide the price of a cluster: by something of the node, or by something of the pod. */
export const nodeGroupings = ['nodepool', 'capacity-type', 'zone', 'instance-type'] as const;
export const podGroupings = ['namespace', 'workload'] as const;

export type NodeGrouping = (typeof nodeGroupings)[number];
export type PodGrouping = (typeof podGroupings)[number];
export type CostGrouping = NodeGrouping | PodGrouping;

/** Parts of a price; `workloads`, `daemons` and `waste` add up to `hourly`. */
export interface CostParts {
  readonly hourly: NanoDollars;
  readonly workloads: NanoDollars;
  readonly daemons: NanoDollars;
  readonly waste: NanoDollars;
  /** What the same nodes would cost on demand. */
  readonly onDemand: NanoDollars;
}

export interface NodeCostGroup extends CostParts {
  /** Empty for nodes without a value. */
  readonly name: string;
  readonly nodes: number;
}

/** Pods of a namespace or workload; daemons are not among them. */
export interface PodCostGroup {
  readonly name: string;
  readonly pods: number;
  readonly hourly: NanoDollars;
}

export interface CostReport extends CostParts {
  /** Nodes with a price. */
  readonly nodes: number;
  readonly spot: { readonly nodes: number; readonly hourly: NanoDollars };
  /** Whether some prices are estimates. */
  readonly isEstimated: boolean;
  /** Nodes without a price: none of the sums covers them. */
  readonly unpriced: readonly NodeRow[];
  readonly costs: readonly NodeCost[];
}

/** Divides the price of every node among its pods and sums up. */
export function costReport(view: Pick<ClusterView, 'pods'>, nodes: readonly NodeRow[]): CostReport {
  const costs: NodeCost[] = [];
  const unpriced: NodeRow[] = [];
  for (const node of nodes) {
    const pods = node.pods.flatMap((uid) => view.pods.get(uid) ?? []).filter(isRunning);
    const cost = nodeCost(node, pods);
    if (cost !== undefined) costs.push(cost);
    else if (node.phase !== 'launching') unpriced.push(node);
  }
  const spot = costs.filter(({ node }) => node.capacityType === 'spot');
  return {
    ...partsOf(costs),
    nodes: costs.length,
    spot: { nodes: spot.length, hourly: sum(spot, ({ hourly }) => hourly) },
    isEstimated: costs.some(({ node }) => node.price?.isEstimated === true),
    unpriced,
    costs,
  };
}

/** The most expensive first. */
export function nodeCostGroups({ costs }: CostReport, grouping: NodeGrouping): readonly NodeCostGroup[] {
  const groups = groupedBy(costs, ({ node }) => node[nodeFields[grouping]] ?? '');
  return [...groups]
    .map(([name, members]) => ({ name, nodes: members.length, ...partsOf(members) }))
    .sort(byPrice);
}

/** The most expensive first. Restricted to a namespace if one is named. */
export function podCostGroups(
  { costs }: CostReport,
  grouping: PodGrouping,
  namespace?: string,
): readonly PodCostGroup[] {
  const pods = costs
    .flatMap((cost) => cost.pods)
    .filter(({ pod }) => namespace === undefined || pod.namespace === namespace);
  return [...groupedBy(pods, ({ pod }) => podGroup(pod, grouping))]
    .map(([name, members]) => ({ name, pods: members.length, hourly: sum(members, ({ hourly }) => hourly) }))
    .sort(byPrice);
}

const nodeFields = {
  nodepool: 'nodePool',
  'capacity-type': 'capacityType',
  zone: 'zone',
  'instance-type': 'instanceType',
} as const satisfies Record<NodeGrouping, keyof NodeRow>;

function podGroup({ namespace, workload }: PodRow, grouping: PodGrouping): string {
  return grouping === 'namespace' ? namespace : `${namespace}/${workload.kind}/${workload.name}`;
}

function isRunning({ requests }: PodRow): boolean {
  return requests['pods'] !== undefined;
}

function partsOf(costs: readonly NodeCost[]): CostParts {
  return {
    hourly: sum(costs, ({ hourly }) => hourly),
    workloads: sum(costs, ({ pods }) => sum(pods, ({ hourly }) => hourly)),
    daemons: sum(costs, ({ daemons }) => daemons),
    waste: sum(costs, ({ waste }) => waste),
    onDemand: sum(costs, ({ onDemand }) => onDemand),
  };
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function byPrice(a: CostNamed, b: CostNamed): number {
  return b.hourly - a.hourly || (a.name < b.name ? -1 : 1);
}

interface CostNamed {
  readonly name: string;
  readonly hourly: NanoDollars;
}
