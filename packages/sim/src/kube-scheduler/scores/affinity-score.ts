import type { PodInfo } from '../pods/pod-info.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { best, maximum, minimum, type Score } from './score.ts';

/** What having required affinity to a newcomer is worth to a pod that runs. */
const requiredAffinityWeight = 1;

type Worth = Map<string, Map<string, number>>;

function addWorth(
  worth: Worth,
  topologyKey: string,
  domains: ReadonlyMap<string, number>,
  weight: number,
): void {
  const values = worth.get(topologyKey) ?? new Map<string, number>();
  worth.set(topologyKey, values);
  for (const [domain, count] of domains) {
    values.set(domain, (values.get(domain) ?? 0) + weight * count);
  }
}

/** What each domain is worth: by the pod's own wishes, and by those of the pods that run there. */
function worthOf(pod: PodInfo, cluster: ClusterState): Worth {
  const worth: Worth = new Map();
  for (const { topologyKey, selection, weight } of pod.terms.preferred) {
    addWorth(worth, topologyKey, cluster.counters.of(selection).domains(topologyKey), weight);
  }
  for (const { term, domains } of cluster.standingWishes.about(pod.identity, cluster.namespaceLabels)) {
    addWorth(worth, term.topologyKey, domains, term.weight || requiredAffinityWeight);
  }
  return worth;
}

export const interPodAffinityScore: Score = {
  weight: 2,
  rate(pod, nodes, cluster) {
    if (pod.terms.preferred.length === 0 && cluster.standingWishes.isEmpty) return undefined;
    const worth = worthOf(pod, cluster);
    if (worth.size === 0) return undefined;
    const sums = nodes.map(({ labels }) => {
      let sum = 0;
      for (const [topologyKey, domains] of worth) sum += domains.get(labels[topologyKey] ?? '') ?? 0;
      return sum;
    });
    const least = minimum(sums);
    const range = maximum(sums) - least;
    return range === 0 ? undefined : sums.map((sum) => Math.floor((best * (sum - least)) / range));
  },
};
