import { contains } from './amounts.mjs';
import { allowsRules } from './placement-rules.mjs';

/** The offers that hold a pod of some class, with those classes, and without offers that another replaces. */
export function usefulOffers(offers, classes, { wholePods }) {
  const resources = [...new Set(classes.flatMap(({ requests }) => [...requests.keys()]))];
  const candidates = offers
    .map((offer) => ({ ...offer, holds: classesHeldBy(offer, classes) }))
    .filter(({ holds }) => holds.includes(true))
    .map((offer) => (wholePods ? { ...offer, room: roomForWholePods(offer, classes) } : offer))
    .sort((a, b) => a.price - b.price);
  const mayReplace = mayReplaceFor(classes);
  const kept = [];
  for (const offer of candidates)
    if (!kept.some((other) => mayReplace(other, offer) && replaces(other, offer, resources)))
      kept.push(offer);
  return kept;
}

/** An offer of another zone is no replacement where pods are spread over zones. */
function mayReplaceFor(classes) {
  const isSpread = classes.some(({ zoneGroup }) => zoneGroup !== undefined);
  return isSpread ? (one, other) => zoneOf(one) === zoneOf(other) : () => true;
}

export const zoneOf = ({ labels }) => labels['topology.kubernetes.io/zone'];

/** For each class whether the offer holds a pod of it. Thousands of classes share a few rules. */
function classesHeldBy(offer, classes) {
  const allowed = new Map();
  return classes.map(({ rules, requests }) => {
    if (!allowed.has(rules)) allowed.set(rules, allowsRules(offer, rules));
    return allowed.get(rules) && contains(offer.room, requests);
  });
}

/**
 * The room that whole pods can use: if all pods that an offer holds request multiples of 2 CPUs, of 7.9 CPUs they use
 * 6 at most.
 */
function roomForWholePods({ room, holds }, classes) {
  const held = classes.filter((_, index) => holds[index]);
  return new Map(
    [...room].map(([resource, amount]) => {
      const step = held.reduce((divisor, { requests }) => gcd(divisor, requests.get(resource) ?? 0), 0);
      return [resource, step > 0 ? Math.floor(amount / step) * step : amount];
    }),
  );
}

/** Not a number, which rounds nothing, unless all amounts are whole. */
function gcd(a, b) {
  if (!Number.isInteger(a) || !Number.isInteger(b)) return Number.NaN;
  return b === 0 ? a : gcd(b, a % b);
}

/**
 * Whether as much room of one offer costs no more than a node of another one, uses no more of the limits and may hold
 * the same pods. It may take more nodes, because nodes are fractional, but no fewer: rules on host names count nodes.
 */
function replaces(one, other, resources) {
  if (one.pool !== other.pool || one.price > other.price) return false;
  const nodes = resources.reduce((most, resource) => {
    const needed = other.room.get(resource) ?? 0;
    return needed <= 0 ? most : Math.max(most, needed / (one.room.get(resource) ?? 0));
  }, 1);
  return (
    nodes * one.price <= other.price &&
    other.used.every((amount, limit) => nodes * one.used[limit] <= amount) &&
    other.holds.every((holds, index) => !holds || one.holds[index])
  );
}
