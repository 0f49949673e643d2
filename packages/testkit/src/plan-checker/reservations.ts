import { labelKeys } from '@karpenter/core/api';
import { freshPlaces, type NodeDemand } from './fresh-node.ts';
import { agree, type LabelRules } from './label-rule.ts';
import type { NewLocation } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { CheckedPodClass } from './pod-class.ts';
import { PodTerms } from './pod-selection.ts';
import type { Violation } from './violation.ts';
import { demandsOf, topologyKeysOf } from './weights.ts';

/** Number of instances of each reservation, and number of new nodes that may use it. */
export class ReservationUse {
  readonly #instances = new Map<string, number>();
  readonly #holders = new Map<string, string[]>();

  constructor({ cluster, fresh }: PlanFacts) {
    const types = [...cluster.pools.values()].flatMap((pool) => [...pool.types.values()]);
    for (const { reservation } of types.flatMap(({ offers }) => offers)) {
      if (reservation === undefined) continue;
      const { id, capacity } = reservation;
      this.#instances.set(id, Math.min(this.#instances.get(id) ?? capacity, capacity));
    }
    for (const location of fresh) {
      for (const id of heldBy(location)) this.#holders.set(id, [...this.holdersOf(id), location.name]);
    }
  }

  get ids(): Iterable<string> {
    return this.#instances.keys();
  }

  instancesOf(id: string): number {
    return this.#instances.get(id) ?? 0;
  }

  holdersOf(id: string): readonly string[] {
    return this.#holders.get(id) ?? [];
  }

  hasSpare(id: string): boolean {
    return this.holdersOf(id).length < this.instancesOf(id);
  }
}

/** Reservations from which the node may be launched. */
function heldBy({ types }: NewLocation): ReadonlySet<string> {
  const offers = types.flatMap((type) => type.offers);
  return new Set(offers.flatMap(({ reservation }) => (reservation === undefined ? [] : [reservation.id])));
}

function checkUse(use: ReservationUse): Violation[] {
  return [...use.ids].flatMap((id): Violation[] => {
    const holders = use.holdersOf(id);
    if (holders.length <= use.instancesOf(id)) return [];
    const detail = `reservation ${id} has ${use.instancesOf(id)} instances for nodes ${holders.join(', ')}`;
    return [{ rule: 'reservation', detail }];
  });
}

/** A node names the reservations that it holds, or it cannot be launched from any. */
function checkPinning(location: NewLocation, idLabel: string): Violation[] {
  const held = heldBy(location);
  if (held.size === 0) return [];
  const { name, planned } = location;
  const stated = (wanted: string) =>
    planned.requirements.filter(({ key }) => key === wanted).flatMap(({ values = [] }) => values);
  const isReserved = stated(labelKeys.capacityType).join() === 'reserved';
  const isNamed = [...held].sort().join() === [...stated(idLabel)].sort().join();
  if (isReserved && isNamed) return [];
  const detail = `node ${name} may be launched from ${[...held].join(', ')} and is not held to that`;
  return [{ rule: 'reservation-pinning', node: name, detail }];
}

/** Pods with a topology rule on the capacity type cannot choose it. */
function followers({ cluster }: PlanFacts): (pod: CheckedPodClass) => boolean {
  const terms = new PodTerms(cluster, 'podAntiAffinity');
  const all = [
    ...[...cluster.pods.values()].map((pod) => cluster.classOf(pod)),
    ...cluster.bound.map(({ pod }) => pod),
  ];
  const repelling = [...new Set(all)]
    .flatMap((pod) => terms.of(pod))
    .filter(({ key }) => key === labelKeys.capacityType);
  return (pod) =>
    topologyKeysOf(pod).includes(labelKeys.capacityType) || repelling.some((term) => term.selects(pod));
}

const decidedByCapacity: ReadonlySet<string> = new Set([labelKeys.capacityType, labelKeys.instanceType]);

/** Whether the pod alone, in any relaxation, could have used a reserved offering where its node is. */
function couldReserve(
  pod: CheckedPodClass,
  location: NewLocation,
  idLabel: string,
  facts: PlanFacts,
): boolean {
  const { cluster } = facts;
  const where: LabelRules = new Map(
    [...location.stated].filter(([key]) => key !== idLabel && !decidedByCapacity.has(key)),
  );
  const isReservable = (demand: NodeDemand) =>
    freshPlaces(location.pool, pod, demand, cluster).some(
      ({ offer }) => offer.reservation !== undefined && agree(where, offer.nodeRules),
    );
  return demandsOf(pod, cluster).every(isReservable);
}

/**
 * In strict mode, pods that could all use a reservation get no node without one, unless limits prevent it.
 */
function checkFallback(facts: PlanFacts, idLabel: string): Violation[] {
  const isFollower = followers(facts);
  const free = facts.fresh.filter(
    (location) => location.pool.limits.size === 0 && heldBy(location).size === 0,
  );
  const avoidable = free.filter((location) =>
    location.placed.every(({ pod }) => !isFollower(pod) && couldReserve(pod, location, idLabel, facts)),
  );
  return avoidable.map(({ name }) => {
    const detail = `node ${name} is made without a reservation, for pods that could each use one`;
    return { rule: 'reservation-fallback', node: name, detail };
  });
}

export function checkReservations(facts: PlanFacts): Violation[] {
  const { reservedCapacity } = facts.cluster.options;
  if (reservedCapacity === undefined) return [];
  const { idLabel, mode } = reservedCapacity;
  return [
    ...checkUse(new ReservationUse(facts)),
    ...facts.fresh.flatMap((location) => checkPinning(location, idLabel)),
    ...(mode === 'strict' ? checkFallback(facts, idLabel) : []),
  ];
}
