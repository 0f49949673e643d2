import type { CheckedCluster } from './cluster.ts';
import { type FreshPlace, freshPlaces } from './fresh-node.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { CheckedPodClass } from './pod-class.ts';
import { hasPreferences, hasRoom, siteOf } from './rejections.ts';
import { ReservationUse } from './reservations.ts';
import type { TopologyState } from './topology-state.ts';
import type { Violation } from './violation.ts';
import { demandsOf, dependsOnOthers } from './weights.ts';

/** The offerings of the first NodePool that takes the pod, in the first relaxation in which any does. */
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

/**
 * A reservation with a free instance that the pod could use. Undefined where other pods or limits also
 * decide, because the plan alone does not show how.
 */
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

/** The reason why the pod should not have been deferred. */
function objection(pod: CheckedPodClass, use: ReservationUse, facts: PlanFacts, topology: TopologyState) {
  const { cluster, existing } = facts;
  if (cluster.options.reservedCapacity?.mode !== 'strict') return 'pods do not wait for reservations here';
  if (!couldReserve(pod, cluster)) return 'it could use none';
  // A deferred pod keeps its preferences, which may have excluded every node.
  const [rules] = hasPreferences(pod) ? [] : pod.alternatives;
  if (rules !== undefined) {
    const admits = topology.admission({ pod, rules });
    const node = existing.find((location) => hasRoom(location, { pod, rules, ignoreSoft: false, admits }));
    if (node !== undefined) return `node ${node.name} takes it`;
  }
  const spare = spareReservation(pod, use, cluster, topology);
  return spare === undefined ? undefined : `reservation ${spare} has instances to spare`;
}

/** Every deferred pod waits for a capacity reservation that it could use. */
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
