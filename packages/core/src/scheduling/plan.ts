import { type AttemptPolicy, cheapestPolicy } from './context/attempt-policy.ts';
import { type PlanContext, planContextSteps } from './context/plan-context.ts';
import { newScratch } from './context/plan-scratch.ts';
import { type Cost, compareCosts, comparePrices } from './packing/cost.ts';
import { PoolQuotas, type QuotaKey, QuotaNumbers } from './placement/pool-quotas.ts';
import { type Attempt, type AttemptInputs, attemptPlan } from './plan-attempt.ts';
import type { Plan, PlanOptions, PlanSignal } from './plan-result.ts';
import type { Snapshot } from './snapshot.ts';
import { type DomainRanking, fullestFirst, preferredDomain } from './topology/domain-ranking.ts';

/** Decides where every pod of a snapshot goes and which nodes to make for it, at the lowest price. */
export function plan(snapshot: Snapshot, options: PlanOptions): Plan {
  const steps = planSteps(snapshot, options);
  for (;;) {
    const { done, value } = steps.next(undefined);
    if (done) return value;
  }
}

/**
 * As `plan`, in slices: the caller may do other work between two steps, or stop and take what is decided so
 * far; pods that were not looked at by then are listed.
 */
export function* planSteps(snapshot: Snapshot, options: PlanOptions): Generator<void, Plan, PlanSignal> {
  const context = yield* planContextSteps(snapshot, options);
  yield;
  const { plan: first, isStopped } = yield* planWithin(context, cheapestPolicy);
  if (isStopped || snapshot.pods.length > mostPodsForRankings || first.newNodes.length === 0) return first;
  let best = first;
  for (const ranking of otherRankings) {
    const { plan: other, isStopped: isCutShort } = yield* planWithin(context, { ...cheapestPolicy, ranking });
    if (isCutShort) break;
    if (isAsComplete(other, first) && compareCosts(costOf(other), costOf(best)) < 0) best = other;
  }
  return best;
}

/** In a small cluster one zone more or less decides the price, and trying takes little. */
const mostPodsForRankings = 100;
const otherRankings: readonly DomainRanking[] = [
  fullestFirst,
  preferredDomain(0),
  preferredDomain(1),
  preferredDomain(2),
];

/** Whether the same pods find no place or wait. */
function isAsComplete(plan: Plan, first: Plan): boolean {
  const rejected = new Set(first.rejections.map(({ pod }) => pod));
  const deferred = new Set(first.deferred);
  return (
    plan.rejections.length === rejected.size &&
    plan.rejections.every(({ pod }) => rejected.has(pod)) &&
    plan.deferred.length === deferred.size &&
    plan.deferred.every((pod) => deferred.has(pod))
  );
}

function costOf({ newNodes }: Plan): Cost {
  return { price: newNodes.reduce((sum, { price }) => sum + price, 0), nodes: newNodes.length };
}

/** The cheapest plan found, or one that spends limits sparingly if fewer pods are turned away for them. */
export function* planWithin(
  context: PlanContext,
  policy: AttemptPolicy,
  scratch = newScratch(context),
): Generator<void, Attempt, PlanSignal> {
  const cheap = yield* settledPlan(context, policy, scratch);
  if (cheap.isStopped || context.snapshot.pods.length > mostPodsAgain || !isShort(context, cheap))
    return cheap;
  const sparing = yield* settledPlan(context, { ...policy, sparesLimits: true });
  return !sparing.isStopped && withoutNode(sparing) < withoutNode(cheap) ? sparing : cheap;
}

/** Whether pods are turned away for limits that leave room for some node. */
function isShort({ pools: { templates } }: PlanContext, { plan: { rejections } }: Attempt): boolean {
  const open = new Set(templates.filter(({ offers }) => offers.length > 0).map(({ name }) => name));
  return rejections.some(({ reasons }) =>
    reasons.some(({ nodePool = '', failed }) => failed.includes('limits') && open.has(nodePool)),
  );
}

/** Plans, and again with what was learnt about limits and reservations, until every pool can take what it is given. */
function* settledPlan(
  context: PlanContext,
  policy: AttemptPolicy,
  scratch = newScratch(context),
): Generator<void, Attempt, PlanSignal> {
  const quotas = new PoolQuotas();
  const mostRepeats = Math.max(fewestRepeats, mostPodsAgain / context.snapshot.pods.length);
  let attempt = yield* attemptPlan({ context, policy, scratch, quotas });
  for (let repeats = 0; attempt.unpacked.length > 0 && repeats < mostRepeats; repeats++) {
    for (const { key, packed } of attempt.unpacked) quotas.set(key, packed);
    attempt = yield* attemptPlan({ context, policy, scratch: newScratch(context), quotas });
  }
  return yield* grownPlan(attempt, { context, policy, quotas });
}

/** Each repeat settles at least one kind of pods in a pool; after so many the rest is rejected in a large cluster. */
const fewestRepeats = 8;

/** Pods planned again, in a small cluster, in search of a better use of limits; a large one is tried once. */
const mostPodsAgain = 5_000;

/**
 * Fewer pods may be packed otherwise, and leave room within limits or reservations for some that were turned away.
 * Each kind is given another chance, one at a time.
 */
function* grownPlan(
  first: Attempt,
  { context, policy, quotas }: Omit<AttemptInputs, 'scratch'>,
): Generator<void, Attempt, PlanSignal> {
  const refused = new QuotaNumbers();
  let best = first;
  let known = quotas;
  for (let again = 0; again < mostPodsAgain; again += context.snapshot.pods.length) {
    const chance = nextChance(best, known, refused);
    if (chance === undefined) break;
    const { key, most, price } = chance;
    const grown = known.grown(key, most, best.given, best.waiting);
    const attempt = yield* attemptPlan({
      context,
      policy: { ...policy, sparesLimits: true },
      scratch: newScratch(context),
      quotas: grown,
    });
    if (attempt.isStopped) break;
    if (isGrown(attempt, best, { key, price })) {
      best = attempt;
      known = grown;
    } else {
      refused.set(key, most);
    }
  }
  return best;
}

/** The first kind of pods that there may be more of; where too many were tried already, half as many. */
function nextChance({ heldBack }: Attempt, quotas: PoolQuotas, refused: QuotaNumbers) {
  return heldBack
    .map(({ key, more, price }) => {
      const before = quotas.of(key);
      const tooMany = refused.get(key) ?? Number.POSITIVE_INFINITY;
      return { key, price, tooMany, most: before + Math.min(more, Math.ceil((tooMany - before) / 2)) };
    })
    .find(({ most, tooMany }) => most < tooMany);
}

/**
 * Whether every pool can take what it was given, and fewer pods are left without a node. Where pods only move to a
 * heavier pool, that may cost as much as a node of their own does there, and no more.
 */
function isGrown(attempt: Attempt, before: Attempt, { key, price }: Chance): boolean {
  if (attempt.unpacked.length > 0) return false;
  const fewer = withoutNode(before) - withoutNode(attempt);
  if (fewer !== 0 || key.nodes !== undefined) return fewer > 0;
  return comparePrices(costOf(attempt.plan).price, costOf(before.plan).price + price) <= 0;
}

interface Chance {
  readonly key: QuotaKey;
  /** Of a node for its pods alone. */
  readonly price: number;
}

function withoutNode({ plan: { rejections, deferred } }: Attempt): number {
  return rejections.length + deferred.length;
}
