import type { CheckedCluster } from './cluster.ts';
import { type FreshPlace, freshPlaces } from './fresh-node.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { CheckedPodClass } from './pod-class.ts';
import { hasPreferences, hasRoom, siteOf } from './rejections.ts';
import { ReservationUse } from './reservations.ts';
import type { TopologyState } from './topology-state.ts';
import type { Violation } from './violation.ts';
import { demandsOf, dependsOnOthers } from './weights.ts';

/** What is on offer in the first pool that takes the pod in the first state that any does. */
function firstPlaces(
  pod: CheckedPodClass,
  cluster: CheckedCluster,
  topology: TopologyState,
): readonly FreshPlace[] {
  const pools = [...cluster.pools.values()].sort((a, b) => b.weight - a.weight || (a.name < b.name ? 1 : -1));
  for (const demand of demandsOf(pod, cluster)) {
    const admits = topology.admission({ pod, rules: demand.strict });
    for (const pool of pools) {
      const places = freshPlaces(pool, pod, demand, cluster).filter((place) => admits(siteOf(place)));
      if (places.length > 0) return places;
    }
  }
  return [];
}

/** A reservation with an instance to spare that the pod could use; where others or limits have a say, nobody knows. */
function spareReservation(
  pod: CheckedPodClass,
  use: ReservationUse,
  cluster: CheckedCluster,
  topology: TopologyState,
): string | undefined {
  if (dependsOnOthers(pod)) return undefined;
  const places = firstPlaces(pod, cluster, topology);
  if (places.some(({ pool }) => pool.limits.size > 0)) return undefined;
  return places
    .flatMap(({ offer }) => (offer.reservation === undefined ? [] : [offer.reservation.id]))
    .find((id) => use.hasSpare(id));
}

function couldReserve(pod: CheckedPodClass, cluster: CheckedCluster): boolean {
  return demandsOf(pod, cluster).some((demand) =>
    [...cluster.pools.values()].some((pool) =>
      freshPlaces(pool, pod, demand, cluster).some(({ offer }) => offer.reservation !== undefined),
    ),
  );
}

/** Why the pod should not have to wait. */
function objection(pod: CheckedPodClass, use: ReservationUse, facts: PlanFacts, topology: TopologyState) {
  const { cluster, existing } = facts;
  if (cluster.options.reservedCapacity?.mode !== 'strict') return 'pods do not wait for reservations here';
  if (!couldReserve(pod, cluster)) return 'it could use none';
  // A pod that waits keeps its preferences, which may have kept it from any node.
  const [rules] = hasPreferences(pod) ? [] : pod.alternatives;
  if (rules !== undefined) {
    const admits = topology.admission({ pod, rules });
    const node = existing.find((location) => hasRoom(location, { pod, rules, ignoreSoft: false, admits }));
    if (node !== undefined) return `node ${node.name} takes it`;
  }
  const spare = spareReservation(pod, use, cluster, topology);
  return spare === undefined ? undefined : `reservation ${spare} has instances to spare`;
}

/** Every pod that waits for a capacity reservation has reason to. */
export function checkDeferrals(facts: PlanFacts, topology: TopologyState): Violation[] {
  const use = new ReservationUse(facts);
  return facts.plan.deferred.flatMap((uid): Violation[] => {
    const pod = facts.cluster.pods.get(uid);
    const reason = pod && objection(facts.cluster.classOf(pod), use, facts, topology);
    if (reason === undefined) return [];
    return [
      { rule: 'false-deferral', pod: uid, detail: `pod ${uid} waits for a reservation, but ${reason}` },
    ];
  });
}
