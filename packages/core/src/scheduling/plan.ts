import { runAtOnce, type Steps } from '../yielding/index.ts';
import { type AttemptPolicy, cheapestPolicy } from './context/attempt-policy.ts';
import { type PlanContext, planContextSteps } from './context/plan-context.ts';
import { newScratch } from './context/plan-scratch.ts';
import type { NodeTemplate } from './instance-types/node-template.ts';
import { compareCosts, comparePrices } from './packing/cost.ts';
import { PoolQuotas, type QuotaKey, QuotaNumbers } from './placement/pool-quotas.ts';
import { type AttemptInputs, attemptPlan, type PlanAttempt } from './plan-attempt.ts';
import type { Plan, PlanOptions } from './plan-result.ts';
import type { Snapshot } from './snapshot.ts';
import {
  type DomainRanking,
  fullestFirst,
  observedRanking,
  preferredDomain,
} from './topology/domain-ranking.ts';

/** Decides where every pod of a snapshot goes and which nodes to create, at the lowest price. */
export function plan(snapshot: Snapshot, options: PlanOptions): Plan {
  return runAtOnce(planSteps(snapshot, options));
}

/**
 * As `plan`, but yields between steps, so that the caller can do other work, or stop the plan and take what
 * is decided so far. Pods that were not evaluated by then are in `Plan.unevaluated`.
 */
export function* planSteps(snapshot: Snapshot, options: PlanOptions): Steps<Plan> {
  const context = yield* planContextSteps(snapshot, options);
  yield;
  const { ranking: firstRanking, isUsed } = observedRanking(cheapestPolicy.ranking);
  const first = yield* planWithin(context, { ...cheapestPolicy, ranking: firstRanking });
  if (first.isStopped || snapshot.pods.length > maxPodsForRankings || !isUsed()) return first.plan;
  let best = first;
  // The first plan stands unless another ranking gives a better one.
  for (const ranking of otherRankings) {
    const other = yield* planWithin(context, { ...cheapestPolicy, ranking });
    if (other.isStopped) break;
    if (isBetter(other, best)) best = other;
  }
  return best.plan;
}

/** For few pods, the zone that they share decides much of the price, and planning again is fast (ADR 0012). */
const maxPodsForRankings = 100;
const otherRankings: readonly DomainRanking[] = [
  fullestFirst,
  preferredDomain(0),
  preferredDomain(1),
  preferredDomain(2),
];

/** Whether every pod keeps its node, and more pods have one or the nodes cost less. */
function isBetter(attempt: PlanAttempt, best: PlanAttempt): boolean {
  if (!isAsComplete(attempt.plan, best.plan)) return false;
  return attempt.withoutNode < best.withoutNode || compareCosts(attempt.cost, best.cost) < 0;
}

/** Whether all rejected and deferred pods are rejected or deferred in the best plan too. */
function isAsComplete(plan: Plan, best: Plan): boolean {
  const rejected = new Set(best.rejections.map(({ pod }) => pod));
  const deferred = new Set(best.deferred);
  return (
    plan.rejections.every(({ pod }) => rejected.has(pod)) && plan.deferred.every((pod) => deferred.has(pod))
  );
}

/**
 * The cheapest plan found, or one that uses less of NodePool limits if that rejects fewer pods.
 *
 * @param scratch for the first attempt; later ones get one of their own
 */
export function* planWithin(
  context: PlanContext,
  policy: AttemptPolicy,
  scratch = newScratch(context),
): Steps<PlanAttempt> {
  const quotas = new PoolQuotas();
  const first = yield* settledPlan({ context, policy, scratch, quotas });
  if (first.isStopped || context.snapshot.pods.length > maxPodsAgain) return first;
  const cheapest = quotas.isEmpty ? first : yield* cheaperByAlternatives(first, { context, policy });
  if (!isShortOfLimits(context, cheapest)) return cheapest;
  const sparing = yield* settledPlan({
    context,
    policy: { ...policy, sparesLimits: true },
    ...newAttempts(context),
  });
  return !sparing.isStopped && sparing.withoutNode < cheapest.withoutNode ? sparing : cheapest;
}

/**
 * Where limits keep pods from a NodePool, the cheaper of two choices of those pods: by their worth in that NodePool, or
 * by what they cost in lighter ones (ADR 0012).
 */
function* cheaperByAlternatives(first: PlanAttempt, { context, policy }: GrowthInputs): Steps<PlanAttempt> {
  if (!mayDivideOtherwise(context.pools.templates) || policy.packOnOne !== undefined) return first;
  const other = yield* settledPlan({
    context,
    policy: { ...policy, valuesByAlternatives: true },
    ...newAttempts(context),
  });
  return !other.isStopped && isBetter(other, first) ? other : first;
}

/** Whether a NodePool with limits has lighter ones for the pods that it has no room for. */
export function mayDivideOtherwise(templates: readonly NodeTemplate[]): boolean {
  return templates.slice(0, -1).some(({ remaining }) => remaining !== undefined);
}

/** For attempts that know nothing of earlier ones. */
function newAttempts(context: PlanContext): Pick<AttemptInputs, 'scratch' | 'quotas'> {
  return { scratch: newScratch(context), quotas: new PoolQuotas() };
}

/** Whether pods are rejected because of limits that still allow some instance type. */
function isShortOfLimits(
  { pools: { templates } }: PlanContext,
  { plan: { rejections } }: PlanAttempt,
): boolean {
  const open = new Set(templates.filter(({ offers }) => offers.length > 0).map(({ name }) => name));
  return rejections.some(({ reasons }) =>
    reasons.some(({ nodePool = '', failed }) => failed.includes('limits') && open.has(nodePool)),
  );
}

/**
 * Attempts a plan until packing can place all pods that placement gives to each NodePool. Placement does not know how
 * full nodes will be, so it may give a NodePool more pods than its limits or reservations allow; every attempt sets
 * quotas for the next (ADR 0012).
 */
function* settledPlan({ context, policy, scratch, quotas }: AttemptInputs): Steps<PlanAttempt> {
  const mostRepeats = Math.max(minRepeats, maxPodsAgain / context.snapshot.pods.length);
  let attempt = yield* attemptPlan({ context, policy, scratch, quotas });
  for (let repeats = 0; attempt.unpacked.length > 0 && repeats < mostRepeats; repeats++) {
    for (const { key, packed } of attempt.unpacked) quotas.set(key, packed);
    attempt = yield* attemptPlan({ context, policy, scratch: newScratch(context), quotas });
  }
  return yield* grownPlan(attempt, { context, policy, quotas });
}

/**
 * Each repeat sets at least one quota. Small clusters repeat more often (`maxPodsAgain`); in a large one, pods that
 * are still not packed after this many are rejected.
 */
const minRepeats = 8;

/** How many pods are planned again, over all attempts, in search of a better use of limits (ADR 0012). */
const maxPodsAgain = 5_000;

/** A settled attempt on the way to one that uses limits and reservations better. */
interface Growth {
  readonly best: PlanAttempt;
  readonly quotas: PoolQuotas;
  /** How many pods were planned again for it. */
  readonly planned: number;
}

type GrowthInputs = Pick<AttemptInputs, 'context' | 'policy'>;

/**
 * Raises quotas, then lets pods without a node displace others. A displacement may displace more pods than necessary,
 * so quotas are raised once more after one. Pods that then still go to a lighter NodePool get nodes of their own in the
 * heavier one, where its limits allow it.
 */
function* grownPlan(
  first: PlanAttempt,
  { quotas, ...inputs }: Omit<AttemptInputs, 'scratch'>,
): Steps<PlanAttempt> {
  const raised = yield* raisedPlan({ best: first, quotas, planned: 0 }, inputs);
  const displaced = yield* displacedPlan(raised, inputs);
  const grown = displaced.best === raised.best ? raised : yield* raisedPlan(displaced, inputs);
  const heavier = yield* raisedPlan(grown, inputs, true);
  return yield* filledPlan(heavier, inputs);
}

/**
 * Raises one quota at a time and keeps what helps: with fewer pods, packing may choose other nodes, which leave room
 * within limits or reservations for pods that a quota keeps out.
 *
 * @param isApart whether pods that limits kept out get nodes of their own, so that no other pod of the NodePool loses its
 *   place to them
 */
function* raisedPlan(first: Growth, { context, policy }: GrowthInputs, isApart = false): Steps<Growth> {
  const refused = new QuotaNumbers();
  let { best, quotas, planned } = first;
  for (; planned < maxPodsAgain; planned += context.snapshot.pods.length) {
    const heldBack = isApart ? best.heldBack.filter(({ key }) => key.nodes === undefined) : best.heldBack;
    const raise = nextRaise(heldBack, quotas, refused);
    if (raise === undefined) break;
    const { key, most, price } = raise;
    const raised = quotas.raised({ key, most, isApart }, best.given, best.waiting);
    const attempt = yield* sparingAttempt(raised, { context, policy });
    if (attempt.isStopped) break;
    if (isApart ? placesAsMany(attempt, best) : isGrown(attempt, best, { key, price })) {
      best = attempt;
      quotas = raised;
    } else {
      refused.set(key, most);
    }
  }
  return { best, quotas, planned };
}

/**
 * Lets pods without a node displace pods that may go to another NodePool: when limits are too small for all pods of a
 * NodePool, packing does not know which of them have no alternative.
 */
function* displacedPlan(first: Growth, { context, policy }: GrowthInputs): Steps<Growth> {
  let { best, quotas, planned } = first;
  for (const displacement of displacements(context, first.best)) {
    const displaced = displacement(best, quotas);
    if (displaced === undefined) continue;
    planned += context.snapshot.pods.length;
    if (planned > maxPodsAgain) break;
    const attempt = yield* sparingAttempt(displaced, { context, policy });
    if (attempt.isStopped) break;
    if (attempt.unpacked.length > 0 || attempt.withoutNode >= best.withoutNode) continue;
    best = attempt;
    quotas = displaced;
  }
  return { best, quotas, planned };
}

/**
 * Gives unused instances of reservations to pods that still wait for one. Quotas are raised before that, because
 * packing fills instances better; but with more pods it may choose other instances, and then place fewer.
 */
function* filledPlan({ best, quotas }: Growth, { context, policy }: GrowthInputs): Steps<PlanAttempt> {
  if (!best.heldBack.some(({ key }) => key.nodes !== undefined)) return best;
  const attempt = yield* sparingAttempt(quotas, { context, policy: { ...policy, fillsReservations: true } });
  if (attempt.isStopped || attempt.unpacked.length > 0) return best;
  return attempt.withoutNode < best.withoutNode ? attempt : best;
}

function sparingAttempt(quotas: PoolQuotas, { context, policy }: GrowthInputs): Steps<PlanAttempt> {
  const scratch = newScratch(context);
  return attemptPlan({ context, policy: { ...policy, sparesLimits: true }, scratch, quotas });
}

/** Quotas with more pods of one class and fewer of another; undefined if the NodePool has none of the latter. */
type Displacement = (best: PlanAttempt, quotas: PoolQuotas) => PoolQuotas | undefined;

/** For each class with pods without a node, every other class: displaces as many pods first, then all of them. */
function displacements({ pods }: PlanContext, { keptOut }: PlanAttempt): readonly Displacement[] {
  return keptOut.flatMap(({ key, pods: count }) =>
    pods.classes
      .filter((podClass) => podClass !== key.podClass)
      .flatMap((podClass) =>
        [count, Number.POSITIVE_INFINITY].map(
          (fewer): Displacement =>
            (best, quotas) => {
              const theirs = { template: key.template, podClass, step: 0 };
              const given = best.given.of(theirs);
              // A quota would send pods that wait for a reservation to the next NodePool instead.
              if (given === 0 || best.waiting.has(podClass)) return undefined;
              const most = best.given.of(key) + count;
              const displaced = quotas.raised({ key, most }, best.given, best.waiting);
              displaced.set(theirs, Math.max(0, given - fewer));
              return displaced;
            },
        ),
      ),
  );
}

/** The first quota that may be raised; if a higher number was refused before, halfway to it. */
function nextRaise(heldBack: PlanAttempt['heldBack'], quotas: PoolQuotas, refused: QuotaNumbers) {
  return heldBack
    .map(({ key, more, price }) => {
      const before = quotas.of(key);
      const tooMany = refused.get(key) ?? Number.POSITIVE_INFINITY;
      return { key, price, tooMany, most: before + Math.min(more, Math.ceil((tooMany - before) / 2)) };
    })
    .find(({ most, tooMany }) => most < tooMany);
}

/**
 * Whether every pool can take what it was given, and fewer pods are without a node. Pods may also just move
 * to a pool with more weight, as weight comes before price; that may cost as much as a node of their own
 * there, and no more.
 */
function isGrown(attempt: PlanAttempt, before: PlanAttempt, { key, price }: QuotaRaise): boolean {
  if (attempt.unpacked.length > 0) return false;
  const fewer = before.withoutNode - attempt.withoutNode;
  if (fewer !== 0 || key.nodes !== undefined) return fewer > 0;
  return comparePrices(attempt.cost.price, before.cost.price + price) <= 0;
}

/** Whether no more pods are without a node, now that a heavier NodePool has taken some of a lighter one. */
function placesAsMany(attempt: PlanAttempt, before: PlanAttempt): boolean {
  return attempt.unpacked.length === 0 && attempt.withoutNode <= before.withoutNode;
}

interface QuotaRaise {
  readonly key: QuotaKey;
  /** Of a node for these pods alone, in dollars an hour. */
  readonly price: number;
}
