import type { PodInfo } from '../pods/pod-info.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import { maximum, maxScore, minimum, type Score } from './score.ts';

/** The weight of a running pod's required affinity to the incoming pod; the default hardPodAffinityWeight. */
const requiredAffinityWeight = 1;

type DomainWeights = Map<string, Map<string, number>>;

function addWeights(
  weights: DomainWeights,
  topologyKey: string,
  domains: ReadonlyMap<string, number>,
  weight: number,
): void {
  const values = weights.get(topologyKey) ?? new Map<string, number>();
  weights.set(topologyKey, values);
  for (const [domain, count] of domains) {
    values.set(domain, (values.get(domain) ?? 0) + weight * count);
  }
}

/** The weight of each domain, from the preferences of the pod and those of the pods that run there. */
function weightsOf(pod: PodInfo, cluster: SchedulerState): DomainWeights {
  const weights: DomainWeights = new Map();
  for (const { topologyKey, selection, weight } of pod.terms.preferred) {
    addWeights(weights, topologyKey, cluster.counters.of(selection).domains(topologyKey), weight);
  }
  for (const { term, domains } of cluster.existingAffinity.about(pod.identity, cluster.namespaceLabels)) {
    addWeights(weights, term.topologyKey, domains, term.weight || requiredAffinityWeight);
  }
  return weights;
}

export const interPodAffinityScore: Score = {
  weight: 2,
  rate(pod, nodes, cluster) {
    if (pod.terms.preferred.length === 0 && cluster.existingAffinity.isEmpty) return undefined;
    const weights = weightsOf(pod, cluster);
    if (weights.size === 0) return undefined;
    const sums = nodes.map(({ labels }) => {
      let sum = 0;
      for (const [topologyKey, domains] of weights) sum += domains.get(labels[topologyKey] ?? '') ?? 0;
      return sum;
    });
    const least = minimum(sums);
    const range = maximum(sums) - least;
    return range === 0 ? undefined : sums.map((sum) => Math.floor((maxScore * (sum - least)) / range));
  },
};
