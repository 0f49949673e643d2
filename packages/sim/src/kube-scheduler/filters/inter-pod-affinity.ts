import type { AffinityTerm } from '../pods/affinity-terms.ts';
import type { PodInfo } from '../pods/pod-info.ts';
import { allOf } from '../pods/pod-selection.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';
import { type Filter, type NodeCheck, resolvable, unresolvable } from './filter.ts';

const affinityUnmet = unresolvable("node(s) didn't match pod affinity rules");
const antiAffinityViolated = resolvable("node(s) didn't match pod anti-affinity rules");
const existingAntiAffinityViolated = resolvable("node(s) didn't satisfy existing pods anti-affinity rules");

type Domains = ReadonlyMap<string, number>;
type NodeTest = (node: NodeInfo) => boolean;

/**
 * A running pod counts only if it matches all terms of the pod. As in Kubernetes, a pod that matches its own
 * terms may be the first.
 */
function affinityTest({ terms: { requiredAffinity }, identity }: PodInfo, cluster: SchedulerState): NodeTest {
  const selection = allOf(requiredAffinity.map((term) => term.selection));
  const counter = cluster.counters.of(selection);
  const wanted = requiredAffinity.map(({ topologyKey }) => ({
    topologyKey,
    domains: counter.domains(topologyKey),
  }));
  const mayBeFirst =
    wanted.every(({ domains }) => domains.size === 0) && selection.selects(identity, cluster.namespaceLabels);
  return ({ labels }) =>
    wanted.every(({ topologyKey, domains }) => {
      const domain = labels[topologyKey];
      return domain !== undefined && (mayBeFirst || domains.has(domain));
    });
}

function antiAffinityTest(
  terms: readonly AffinityTerm[],
  domainsOf: (term: AffinityTerm) => Domains,
): NodeTest {
  const unwanted = terms.map((term) => ({ topologyKey: term.topologyKey, domains: domainsOf(term) }));
  return ({ labels }) =>
    unwanted.some(({ topologyKey, domains }) => {
      const domain = labels[topologyKey];
      return domain !== undefined && domains.has(domain);
    });
}

/**
 * The domains with running pods whose required anti-affinity selects this pod; undefined if there are none.
 */
function existingAntiAffinityTest({ identity }: PodInfo, cluster: SchedulerState): NodeTest | undefined {
  if (cluster.existingAntiAffinity.isEmpty) return undefined;
  const existing = [...cluster.existingAntiAffinity.about(identity, cluster.namespaceLabels)];
  if (existing.length === 0) return undefined;
  const domains = new Map(existing.map((one) => [one.term, one.domains]));
  return antiAffinityTest([...domains.keys()], (term) => domains.get(term) ?? new Map());
}

export const interPodAffinity: Filter = {
  name: 'InterPodAffinity',
  prepare(pod, cluster): NodeCheck | undefined {
    const { requiredAffinity, requiredAntiAffinity } = pod.terms;
    const violatesExisting = existingAntiAffinityTest(pod, cluster);
    const satisfiesAffinity = requiredAffinity.length > 0 ? affinityTest(pod, cluster) : undefined;
    const violatesOwn =
      requiredAntiAffinity.length > 0
        ? antiAffinityTest(requiredAntiAffinity, (term) =>
            cluster.counters.of(term.selection).domains(term.topologyKey),
          )
        : undefined;
    if (violatesExisting === undefined && satisfiesAffinity === undefined && violatesOwn === undefined)
      return undefined;
    return (node) => {
      if (satisfiesAffinity?.(node) === false) return affinityUnmet;
      if (violatesOwn?.(node) === true) return antiAffinityViolated;
      return violatesExisting?.(node) === true ? existingAntiAffinityViolated : undefined;
    };
  },
};
