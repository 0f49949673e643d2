import type { TopologySpreadConstraint } from 'kubernetes-types/core/v1.js';
import type { PodInfo } from '../pods/pod-info.ts';
import { type SpreadRule, spreadRule } from '../pods/spread-rule.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';
import { maximum, maxScore, minimum, type Score } from './score.ts';

const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

/**
 * The default constraints of kube-scheduler, for pods of a workload or Service without constraints of their
 * own.
 */
function defaultConstraints(pod: PodInfo, cluster: SchedulerState): readonly TopologySpreadConstraint[] {
  const labelSelector = cluster.workloads.of(pod.pod);
  if (labelSelector === undefined) return [];
  const whenUnsatisfiable = 'ScheduleAnyway';
  return [
    { topologyKey: hostname, maxSkew: 3, whenUnsatisfiable, labelSelector },
    { topologyKey: zone, maxSkew: 5, whenUnsatisfiable, labelSelector },
  ];
}

interface Tally {
  readonly topologyKey: string;
  /** The pods that the rule selects in the domain of a node. */
  readonly podsBeside: (node: NodeInfo) => number;
  /** Grows with the number of domains, as in kube-scheduler. */
  readonly weight: number;
  readonly slack: number;
}

const weightOf = (domains: number) => Math.log(domains + 2);

function tally(rule: SpreadRule, nodes: readonly NodeInfo[], cluster: SchedulerState): Tally {
  const { topologyKey, maxSkew } = rule;
  const { byNode } = cluster.counters.of(rule.selection);
  // As in kube-scheduler, the domain of a host name is the node itself, whatever policies the rule has for nodes.
  const { podsBeside, domains } =
    topologyKey === hostname
      ? { podsBeside: ({ name }: NodeInfo) => byNode.get(name) ?? 0, domains: nodes.length }
      : sumByDomain(rule, nodes, cluster);
  return { topologyKey, podsBeside, weight: weightOf(domains), slack: maxSkew - 1 };
}

function sumByDomain(rule: SpreadRule, nodes: readonly NodeInfo[], cluster: SchedulerState) {
  const { byNode } = cluster.counters.of(rule.selection);
  const domains = new Map<string, number>();
  for (const { labels } of nodes) {
    const domain = labels[rule.topologyKey];
    if (domain !== undefined) domains.set(domain, 0);
  }
  for (const [name, count] of byNode) {
    const node = cluster.node(name);
    const domain = node?.labels[rule.topologyKey];
    const sum = domain === undefined ? undefined : domains.get(domain);
    if (node === undefined || domain === undefined || sum === undefined || !rule.counts(node)) continue;
    domains.set(domain, sum + count);
  }
  const podsBeside = ({ labels }: NodeInfo) => domains.get(labels[rule.topologyKey] ?? '') ?? 0;
  return { podsBeside, domains: domains.size };
}

function cost(tallies: readonly Tally[], node: NodeInfo): number {
  let sum = 0;
  for (const { topologyKey, podsBeside, weight, slack } of tallies)
    if (node.labels[topologyKey] !== undefined) sum += podsBeside(node) * weight + slack;
  return Math.round(sum);
}

/** Fewer pods score higher; a node without the topology labels scores 0. */
function ratings(costs: readonly (number | undefined)[]): readonly number[] {
  const known = costs.filter((one) => one !== undefined);
  const most = maximum(known);
  const least = minimum(known);
  return costs.map((one) => {
    if (one === undefined) return 0;
    return most <= 0 ? maxScore : Math.floor((maxScore * (most + least - one)) / most);
  });
}

export const spreadScore: Score = {
  weight: 2,
  rate(pod, nodes, cluster) {
    const isOwn = pod.spread.length > 0;
    const constraints = isOwn ? pod.spread : defaultConstraints(pod, cluster);
    const soft = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway');
    if (soft.length === 0) return undefined;
    const rules = soft.map((constraint) => spreadRule(constraint, pod));
    const isOutside = ({ labels }: NodeInfo) =>
      isOwn && rules.some(({ topologyKey }) => labels[topologyKey] === undefined);
    const inside = nodes.filter((node) => !isOutside(node));
    const tallies = rules.map((rule) => tally(rule, inside, cluster));
    return ratings(nodes.map((node) => (isOutside(node) ? undefined : cost(tallies, node))));
  },
};
