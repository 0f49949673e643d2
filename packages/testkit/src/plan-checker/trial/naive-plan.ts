import type { Plan, PlannedNode, PlanOptions, Snapshot } from '@karpenter/core/scheduling';
import { amountText, sum } from '../amounts.ts';
import { type CheckedCluster, readCluster } from '../cluster.ts';
import { Domains } from '../domains.ts';
import { type FreshPlace, freshPlaces, type NodeDemand } from '../fresh-node.ts';
import { merge } from '../label-rule.ts';
import { readPlan } from '../plan-facts.ts';
import type { CheckedPodClass } from '../pod-class.ts';
import { isIgnored } from '../pod-validity.ts';
import { hasRoom, siteOf } from '../rejections.ts';
import { ReservationUse } from '../reservations.ts';
import { RoomUnderLimits } from '../room-under-limits.ts';
import { SpreadConstraints } from '../spread-constraint.ts';
import { TopologyState } from '../topology-state.ts';
import { demandsOf } from '../weights.ts';
import { writtenRules } from './written-rules.ts';

type Step = Pick<Plan, 'placements' | 'newNodes'>;

/** The pod waits for a capacity reservation. */
const deferral = 'deferral';

function plannedNode(
  uid: string,
  pod: CheckedPodClass,
  place: FreshPlace,
  { rules }: NodeDemand,
): PlannedNode {
  const { pool, type, offer } = place;
  const present = new Map([...offer.rules].filter(([, rule]) => !rule.absent));
  const stated = merge(pool.template, rules, present);
  const requests = sum(pod.requests, type.daemonRequests);
  return {
    nodePool: pool.name,
    requirements: writtenRules(stated),
    instanceTypes: [type.name],
    pods: [uid],
    requests: Object.fromEntries([...requests].map(([name, nano]) => [name, amountText(nano)])),
    price: offer.price,
    choice: {
      offering: { instanceType: type.name, price: offer.price },
      fill: {},
      bindingResources: [],
      alternatives: [],
      narrowings: [],
      passedOver: [],
    },
  };
}

/** Everything that the next placement depends on, recomputed for every pod. */
class Attempt {
  readonly #cluster: CheckedCluster;
  readonly #step: Step;
  readonly #topology: TopologyState;
  readonly #facts: ReturnType<typeof readPlan>;
  readonly #limits: RoomUnderLimits;
  readonly #reservations: ReservationUse;

  constructor(cluster: CheckedCluster, step: Step) {
    this.#cluster = cluster;
    this.#step = step;
    const { revision } = cluster.snapshot;
    this.#facts = readPlan(cluster, { revision, ...step, rejections: [], deferred: [], unevaluated: [] });
    this.#reservations = new ReservationUse(this.#facts);
    const domains = new Domains(cluster);
    this.#topology = new TopologyState(this.#facts, new SpreadConstraints(cluster, domains), domains);
    this.#limits = new RoomUnderLimits(this.#facts);
  }

  place(uid: string, pod: CheckedPodClass): Step | typeof deferral | undefined {
    if (isIgnored(pod, this.#cluster)) return undefined;
    for (const demand of demandsOf(pod, this.#cluster)) {
      const step = this.#onExisting(uid, pod, demand) ?? this.#onNew(uid, pod, demand);
      if (step !== undefined) return step;
    }
    return undefined;
  }

  #onExisting(
    uid: string,
    pod: CheckedPodClass,
    { rules, strict, ignoreSoft }: NodeDemand,
  ): Step | undefined {
    const admits = this.#topology.admission({ pod, rules: strict });
    const location = this.#facts.existing.find((candidate) =>
      hasRoom(candidate, { pod, rules, ignoreSoft, admits }),
    );
    if (location === undefined) return undefined;
    const { placements, newNodes } = this.#step;
    return { placements: [...placements, { node: location.name, pods: [uid] }], newNodes };
  }

  #onNew(uid: string, pod: CheckedPodClass, demand: NodeDemand): Step | typeof deferral | undefined {
    const admits = this.#topology.admission({ pod, rules: demand.strict });
    const pools = [...this.#cluster.pools.values()].sort((a, b) => b.weight - a.weight);
    for (const pool of pools) {
      const found = freshPlaces(pool, pod, demand, this.#cluster, (type) => this.#limits.admits(pool, type));
      const admitted = found.filter((place) => admits(siteOf(place)));
      const [cheapest] = this.#withinReservations(admitted).sort((a, b) => a.offer.price - b.offer.price);
      if (cheapest === undefined && admitted.length > 0 && this.#isStrict) return deferral;
      if (cheapest === undefined) continue;
      const { placements, newNodes } = this.#step;
      return { placements, newNodes: [...newNodes, plannedNode(uid, pod, cheapest, demand)] };
    }
    return undefined;
  }

  get #isStrict(): boolean {
    return this.#cluster.options.reservedCapacity?.mode === 'strict';
  }

  /**
   * Offerings of reservations with free instances. Others only if there are none, or if pods need not wait
   * for them.
   */
  #withinReservations(places: readonly FreshPlace[]): FreshPlace[] {
    const reserved = places.filter(({ offer }) => offer.reservation !== undefined);
    const spare = reserved.filter(({ offer }) => this.#reservations.hasSpare(offer.reservation?.id ?? ''));
    if (spare.length > 0 || (reserved.length > 0 && this.#isStrict)) return spare;
    return places.filter(({ offer }) => offer.reservation === undefined);
  }
}

/**
 * The simplest possible planner: it puts each pod on an existing node that takes it, or alone on the cheapest
 * new node, and starts over until nothing changes. It looks at one pod at a time, while the checker sees only
 * the result.
 */
export function naivePlan(snapshot: Snapshot, options: PlanOptions): Plan {
  const cluster = readCluster(snapshot, options);
  let step: Step = { placements: [], newNodes: [] };
  let waiting = [...snapshot.pods];
  const deferred = new Set<string>();
  for (let isMoving = true; isMoving; ) {
    const left = waiting.filter((pod) => {
      const { uid } = pod.metadata;
      const next = new Attempt(cluster, step).place(uid, cluster.classOf(pod));
      deferred.delete(uid);
      if (next === deferral) deferred.add(uid);
      if (next === deferral || next === undefined) return true;
      step = next;
      return false;
    });
    isMoving = left.length < waiting.length;
    waiting = left;
  }
  const rejections = waiting
    .filter(({ metadata: { uid } }) => !deferred.has(uid))
    .map(({ metadata: { uid } }) => ({ pod: uid, reasons: [], message: 'no place' }));
  return { revision: snapshot.revision, ...step, rejections, deferred: [...deferred], unevaluated: [] };
}
