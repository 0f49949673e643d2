import type { Plan, PlannedNode, PlanOptions, Snapshot } from '@karpenter/core/scheduling';
import { amountText, sum } from '../amounts.ts';
import { type Cluster, readCluster } from '../cluster.ts';
import { Domains } from '../domains.ts';
import { type Demand, type FreshPlace, freshPlaces } from '../fresh-node.ts';
import { merge } from '../label-rule.ts';
import { readPlan } from '../plan-facts.ts';
import type { PodClass } from '../pod-class.ts';
import { isIgnored } from '../pod-validity.ts';
import { hasRoom, siteOf } from '../rejections.ts';
import { RoomUnderLimits } from '../room-under-limits.ts';
import { SpreadConstraints } from '../spread-constraint.ts';
import { TopologyState } from '../topology-state.ts';
import { demandsOf } from '../weights.ts';
import { writtenRules } from './written-rules.ts';

type Step = Pick<Plan, 'placements' | 'newNodes'>;

function plannedNode(uid: string, pod: PodClass, place: FreshPlace, { rules }: Demand): PlannedNode {
  const { pool, type, offer } = place;
  const stated = merge(pool.template, rules, offer.rules);
  const requests = sum(pod.requests, type.daemonRequests);
  return {
    nodePool: pool.name,
    requirements: writtenRules(stated),
    instanceTypes: [type.name],
    pods: [uid],
    requests: Object.fromEntries([...requests].map(([name, nano]) => [name, amountText(nano)])),
    price: offer.price,
  };
}

/** Everything that the next pod must know, worked out anew for every one of them. */
class Attempt {
  readonly #cluster: Cluster;
  readonly #step: Step;
  readonly #topology: TopologyState;
  readonly #facts: ReturnType<typeof readPlan>;
  readonly #limits: RoomUnderLimits;

  constructor(cluster: Cluster, step: Step) {
    this.#cluster = cluster;
    this.#step = step;
    const { revision } = cluster.snapshot;
    this.#facts = readPlan(cluster, { revision, ...step, rejections: [], unevaluated: [] });
    const domains = new Domains(cluster);
    this.#topology = new TopologyState(this.#facts, new SpreadConstraints(cluster, domains), domains);
    this.#limits = new RoomUnderLimits(this.#facts);
  }

  place(uid: string, pod: PodClass): Step | undefined {
    if (isIgnored(pod, this.#cluster)) return undefined;
    for (const demand of demandsOf(pod, this.#cluster)) {
      const step = this.#onExisting(uid, pod, demand) ?? this.#onNew(uid, pod, demand);
      if (step !== undefined) return step;
    }
    return undefined;
  }

  #onExisting(uid: string, pod: PodClass, { rules, strict, ignoreSoft }: Demand): Step | undefined {
    const admits = this.#topology.admission({ pod, rules: strict });
    const location = this.#facts.existing.find((candidate) =>
      hasRoom(candidate, { pod, rules, ignoreSoft, admits }),
    );
    if (location === undefined) return undefined;
    const { placements, newNodes } = this.#step;
    return { placements: [...placements, { node: location.name, pods: [uid] }], newNodes };
  }

  #onNew(uid: string, pod: PodClass, demand: Demand): Step | undefined {
    const admits = this.#topology.admission({ pod, rules: demand.strict });
    const pools = [...this.#cluster.pools.values()].sort((a, b) => b.weight - a.weight);
    for (const pool of pools) {
      const found = freshPlaces(pool, pod, demand, this.#cluster, (type) => this.#limits.admits(pool, type));
      const [cheapest] = found
        .filter((place) => admits(siteOf(place)))
        .sort((a, b) => a.offer.price - b.offer.price);
      if (cheapest === undefined) continue;
      const { placements, newNodes } = this.#step;
      return { placements, newNodes: [...newNodes, plannedNode(uid, pod, cheapest, demand)] };
    }
    return undefined;
  }
}

/**
 * The simplest planner there is: each pod alone on the cheapest new node, unless a node that exists takes it, and
 * again from the start until nothing moves. It looks at one pod at a time, while the checker sees only the end.
 */
export function naivePlan(snapshot: Snapshot, options: PlanOptions): Plan {
  const cluster = readCluster(snapshot, options);
  let step: Step = { placements: [], newNodes: [] };
  let waiting = [...snapshot.pods];
  for (let isMoving = true; isMoving; ) {
    const left = waiting.filter((pod) => {
      const next = new Attempt(cluster, step).place(pod.metadata.uid, cluster.classOf(pod));
      step = next ?? step;
      return next === undefined;
    });
    isMoving = left.length < waiting.length;
    waiting = left;
  }
  const rejections = waiting.map(({ metadata: { uid } }) => ({ pod: uid, reasons: [], message: 'no place' }));
  return { revision: snapshot.revision, ...step, rejections, unevaluated: [] };
}
