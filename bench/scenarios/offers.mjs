import { add, amountOf, amountsOf, requestsOf } from './amounts.mjs';
import { allowsRules, matchesAll, nodeRulesOf } from './placement-rules.mjs';

/** All nodes that a plan may create: an offering of an instance type in each NodePool that allows it. */
export function offersOf({ nodePools, instanceTypes, daemonPods = [] }) {
  const daemons = daemonPods.map((pod) => ({ rules: nodeRulesOf(pod), requests: requestsOf(pod) }));
  return nodePools.flatMap((nodePool) => {
    const pool = poolOf(nodePool);
    return instanceTypes.flatMap((type) =>
      type.offerings
        .filter(({ available = true }) => available)
        .map((offering) => offerOf(pool, type, offering))
        .filter(({ labels }) => matchesAll(labels, pool.requirements))
        .map((offer) => withoutDaemons(offer, daemons)),
    );
  });
}

function poolOf({ metadata, spec }) {
  const { requirements = [], taints = [] } = spec.template.spec;
  const labels = { ...spec.template.metadata?.labels, 'karpenter.sh/nodepool': metadata.name };
  // Karpenter reads the number of nodes only between plans, so one plan may exceed that limit.
  const limits = Object.entries(spec.limits ?? {})
    .filter(([name]) => name !== 'nodes')
    .map(([name, text]) => [name, amountOf(name, text)]);
  return { name: metadata.name, requirements, taints, labels, limits };
}

/** An offering in a NodePool, with what one node has for pods and what it uses of each limit. */
function offerOf(pool, type, { zone, capacityType, price }) {
  const labels = {
    ...type.labels,
    'node.kubernetes.io/instance-type': type.name,
    'topology.kubernetes.io/zone': zone,
    'karpenter.sh/capacity-type': capacityType,
    ...pool.labels,
  };
  const capacity = amountsOf(type.capacity);
  const used = pool.limits.map(([name]) => capacity.get(name) ?? 0);
  const room = add(capacity, amountsOf(type.overhead), -1);
  return { pool, labels, taints: pool.taints, price, room, used };
}

/** Only DaemonSets that certainly run on a node take room there. */
function withoutDaemons(offer, daemons) {
  const own = daemons.filter(({ rules }) => certainlyRuns(offer, rules));
  return { ...offer, room: own.reduce((room, { requests }) => add(room, requests, -1), offer.room) };
}

const certainlyRuns = (offer, rules) =>
  allowsRules(offer, rules) && rules.alternatives.flat().every(({ key }) => offer.labels[key] !== undefined);
