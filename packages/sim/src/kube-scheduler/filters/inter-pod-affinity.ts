import type { AffinityTerm } from '../pods/affinity-terms.ts';
import type { PodInfo } from '../pods/pod-info.ts';
import { allOf } from '../pods/pod-selection.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';
import { type Filter, lasting, movable, type NodeCheck } from './filter.ts';

const lacksCompany = lasting("node(s) didn't match pod affinity rules");
const hasCompany = movable("node(s) didn't match pod anti-affinity rules");
const isUnwanted = movable("node(s) didn't satisfy existing pods anti-affinity rules");

type Domains = ReadonlyMap<string, number>;
type NodeTest = (node: NodeInfo) => boolean;

/** Running pods must match all terms to count for any of them. A pod that matches its own may be the first. */
function companyTest({ terms: { together }, identity }: PodInfo, cluster: ClusterState): NodeTest {
  const selection = allOf(together.map((term) => term.selection));
  const counter = cluster.counters.of(selection);
  const wanted = together.map(({ topologyKey }) => ({ topologyKey, domains: counter.domains(topologyKey) }));
  const mayBeFirst =
    wanted.every(({ domains }) => domains.size === 0) && selection.selects(identity, cluster.namespaceLabels);
  return ({ labels }) =>
    wanted.every(({ topologyKey, domains }) => {
      const domain = labels[topologyKey];
      return domain !== undefined && (mayBeFirst || domains.has(domain));
    });
}

function clashTest(terms: readonly AffinityTerm[], domainsOf: (term: AffinityTerm) => Domains): NodeTest {
  const unwanted = terms.map((term) => ({ topologyKey: term.topologyKey, domains: domainsOf(term) }));
  return ({ labels }) =>
    unwanted.some(({ topologyKey, domains }) => {
      const domain = labels[topologyKey];
      return domain !== undefined && domains.has(domain);
    });
}

/** Domains where pods run that do not want this one. */
function unwelcomeTest({ identity }: PodInfo, cluster: ClusterState): NodeTest | undefined {
  if (cluster.standingApart.isEmpty) return undefined;
  const standing = [...cluster.standingApart.about(identity, cluster.namespaceLabels)];
  if (standing.length === 0) return undefined;
  const domains = new Map(standing.map((one) => [one.term, one.domains]));
  return clashTest([...domains.keys()], (term) => domains.get(term) ?? new Map());
}

export const interPodAffinity: Filter = {
  name: 'InterPodAffinity',
  prepare(pod, cluster): NodeCheck | undefined {
    const { together, apart } = pod.terms;
    const isUnwelcome = unwelcomeTest(pod, cluster);
    const findsCompany = together.length > 0 ? companyTest(pod, cluster) : undefined;
    const clashes =
      apart.length > 0
        ? clashTest(apart, (term) => cluster.counters.of(term.selection).domains(term.topologyKey))
        : undefined;
    if (isUnwelcome === undefined && findsCompany === undefined && clashes === undefined) return undefined;
    return (node) => {
      if (findsCompany?.(node) === false) return lacksCompany;
      if (clashes?.(node) === true) return hasCompany;
      return isUnwelcome?.(node) === true ? isUnwanted : undefined;
    };
  },
};
