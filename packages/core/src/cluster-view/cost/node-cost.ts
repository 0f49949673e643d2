import type { Amounts } from '../amounts.ts';
import type { NodeRow } from '../node-row.ts';
import type { PodRow } from '../pod-row.ts';
import { apportion } from './apportion.ts';

/** Whole billionths of a dollar per hour. Sums of them are exact up to nine million dollars. */
export type NanoDollars = number;

export const nanoPerDollar = 1_000_000_000;

/** Where the price of a node goes. `pods`, `daemons` and `waste` add up to `hourly`. */
export interface NodeCost {
  readonly node: NodeRow;
  readonly hourly: NanoDollars;
  readonly onDemand: NanoDollars;
  /** Pods other than those that every node runs. */
  readonly pods: readonly PodCost[];
  /** Pods of DaemonSets and static pods. */
  readonly daemons: NanoDollars;
  /** Paid but requested by no pod. */
  readonly waste: NanoDollars;
}

interface PodCost {
  readonly pod: PodRow;
  readonly hourly: NanoDollars;
}

const gib = 2 ** 30;

/**
 * What a unit of each resource costs compared to the others: prices of EC2 rise about as much with one vCPU as
 * with nine GiB, and an accelerator costs about as much as thirty vCPUs.
 */
const weights: Readonly<Record<string, number>> = {
  cpu: 9,
  memory: 1 / gib,
  'nvidia.com/gpu': 270,
  'amd.com/gpu': 270,
  'habana.ai/gaudi': 270,
  'aws.amazon.com/neuron': 270,
};

/** Undefined for a node without a price. */
export function nodeCost(node: NodeRow, pods: readonly PodRow[]): NodeCost | undefined {
  const { price } = node;
  if (price === undefined) return undefined;
  const hourly = nanoDollars(price.hourly);
  const shares = podShares(node, pods);
  const idle = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
  const parts = apportion(hourly, [...shares, idle]);
  const costs = pods.map((pod, index) => ({ pod, hourly: parts[index] ?? 0 }));
  const own = costs.filter(({ pod }) => !isOverhead(pod));
  const ofPods = own.reduce((sum, { hourly: cost }) => sum + cost, 0);
  const waste = parts.at(-1) ?? 0;
  return {
    node,
    hourly,
    onDemand: nanoDollars(price.onDemand ?? price.hourly),
    pods: own,
    daemons: hourly - ofPods - waste,
    waste,
  };
}

function nanoDollars(dollars: number): NanoDollars {
  return Math.round(dollars * nanoPerDollar);
}

/** Static pods belong to their Node, as pods of DaemonSets belong to every node. */
function isOverhead({ isDaemon, workload }: PodRow): boolean {
  return isDaemon || workload.kind === 'Node';
}

/** The share of the node's price for each pod: at most 1 together, also where more is requested than there is. */
function podShares(
  { allocatable, requested, capacityType }: NodeRow,
  pods: readonly PodRow[],
): readonly number[] {
  const priced = Object.keys(weights).filter((name) => (allocatable[name] ?? 0) > 0);
  const worth = (amounts: Amounts, name: string) => (weights[name] ?? 0) * (amounts[name] ?? 0);
  const total = priced.reduce((sum, name) => sum + worth(allocatable, name), 0);
  const shares = pods.map(({ requests }) =>
    priced.reduce((sum, name) => {
      const most = Math.max(worth(allocatable, name), worth(requested, name));
      return sum + (worth(allocatable, name) / total) * (worth(requests, name) / most);
    }, 0),
  );
  return capacityType === 'fargate' ? normalized(shares) : shares;
}

/** Fargate bills what it provisioned for the pod, so the pod bears all of it. */
function normalized(shares: readonly number[]): readonly number[] {
  const sum = shares.reduce((all, share) => all + share, 0);
  return sum === 0 ? shares.map(() => 1 / shares.length) : shares.map((share) => share / sum);
}
