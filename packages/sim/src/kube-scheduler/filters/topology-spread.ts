import type { PodInfo } from '../pods/pod-info.ts';
import { type SpreadRule, spreadRule } from '../pods/spread-rule.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';
import { type Filter, resolvable, unresolvable } from './filter.ts';

const isSkewed = resolvable("node(s) didn't match pod topology spread constraints");
const lacksLabel = unresolvable(
  "node(s) didn't match pod topology spread constraints (missing required label)",
);

interface SkewLimit {
  readonly topologyKey: string;
  readonly domains: ReadonlyMap<string, number>;
  /** The largest pod count of a domain that the pod may still be added to. */
  readonly maxCount: number;
}

/**
 * Counts the selected pods per domain, over nodes that have every topology label and that the constraint
 * includes.
 */
function domainCounts(
  rule: SpreadRule,
  nodes: readonly NodeInfo[],
  cluster: SchedulerState,
): Map<string, number> {
  const { byNode } = cluster.counters.of(rule.selection);
  const domains = new Map<string, number>();
  for (const node of nodes) {
    const domain = node.labels[rule.topologyKey];
    if (domain === undefined || !rule.counts(node)) continue;
    domains.set(domain, (domains.get(domain) ?? 0) + (byNode.get(node.name) ?? 0));
  }
  return domains;
}

function skewLimit(
  rule: SpreadRule,
  nodes: readonly NodeInfo[],
  pod: PodInfo,
  cluster: SchedulerState,
): SkewLimit {
  const domains = domainCounts(rule, nodes, cluster);
  let least = Number.POSITIVE_INFINITY;
  for (const count of domains.values()) least = Math.min(least, count);
  // Below minDomains, Kubernetes treats the global minimum as 0.
  if (domains.size < rule.minDomains) least = 0;
  // The skew counts the pod itself only if its labels match its own constraint (selfMatchNum in kube-scheduler).
  const own = rule.selection.selects(pod.identity, cluster.namespaceLabels) ? 1 : 0;
  return { topologyKey: rule.topologyKey, domains, maxCount: least + rule.maxSkew - own };
}

export const podTopologySpread: Filter = {
  name: 'PodTopologySpread',
  prepare(pod, cluster) {
    const hard = pod.spread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
    if (hard.length === 0) return undefined;
    const rules = hard.map((constraint) => spreadRule(constraint, pod));
    // As in kube-scheduler, a node counts only if it has the labels of all hard constraints: otherwise nodes where the
    // pod can never run would hold the minimum at 0.
    const labelled = cluster.nodes.filter(({ labels }) =>
      rules.every(({ topologyKey }) => labels[topologyKey] !== undefined),
    );
    const all = rules.map((rule) => skewLimit(rule, labelled, pod, cluster));
    return ({ labels }) => {
      for (const { topologyKey, domains, maxCount } of all) {
        const domain = labels[topologyKey];
        if (domain === undefined) return lacksLabel;
        if ((domains.get(domain) ?? 0) > maxCount) return isSkewed;
      }
      return undefined;
    };
  },
};
