import { inSteps, type Steps } from '../yielding/index.ts';
import {
  type AttemptOutcome,
  attemptedPlan,
  deferredClasses,
  outcomeOf,
  type Unpacked,
  unpackedOf,
} from './attempt-outcome.ts';
import type { AttemptPolicy } from './context/attempt-policy.ts';
import type { PlanContext } from './context/plan-context.ts';
import type { PlanScratch } from './context/plan-scratch.ts';
import { costOf, holdsAll, mayHaveSpareCapacity, SpareCapacity } from './existing-nodes/spare-capacity.ts';
import type { NodeTemplate } from './instance-types/node-template.ts';
import { type RemainingReservations, reservedRoom } from './limits/reservations.ts';
import { ClaimWriter } from './new-nodes/claim-writer.ts';
import { NodeBuilder } from './new-nodes/node-builder.ts';
import { isKeptApart } from './new-nodes/node-load.ts';
import { type Cost, compareCosts, sumOfCosts } from './packing/cost.ts';
import { type PackingInputs, type PoolPacking, packItems } from './packing/item-packing.ts';
import type { ClassPlacement } from './placement/class-placement.ts';
import { type PodPlacement, placePods } from './placement/placement.ts';
import type { PlacementItem } from './placement/placement-item.ts';
import type { GivenPods, PoolQuotas, QuotaKey } from './placement/pool-quotas.ts';
import type { Plan, PlannedNode } from './plan-result.ts';
import type { PodClass } from './pods/pod-class.ts';
import { ChoiceExplainer } from './reasons/choice-explainer.ts';

/** What one attempt at a plan starts from. */
export interface AttemptInputs {
  readonly context: PlanContext;
  /** Used up by the attempt: the next one needs another. */
  readonly scratch: PlanScratch;
  readonly policy: AttemptPolicy;
  /** What earlier attempts found out about NodePool limits and capacity reservations. */
  readonly quotas: PoolQuotas;
}

/** A plan, and what it shows about limits and reservations, for the next attempt. */
export interface PlanAttempt {
  readonly plan: Plan;
  /** Of its new nodes, including what they cost besides their instances. */
  readonly cost: Cost;
  /** How many pods have no node. Virtual pods count less than one real pod, however many they are. */
  readonly withoutNode: number;
  /** Pods of which placement must give fewer to a NodePool, because packing could not place all of them. */
  readonly unpacked: readonly Unpacked[];
  /**
   * Pods that a quota kept from a NodePool which could still create a node for them or has a reservation
   * left.
   */
  readonly heldBack: readonly HeldBackPods[];
  /** Pods without a node, and the NodePools whose quota keeps them out. */
  readonly keptOut: readonly KeptOutPods[];
  readonly given: GivenPods;
  /** Classes of pods that wait for a capacity reservation. */
  readonly waiting: ReadonlySet<PodClass>;
  /** A stopped attempt has evaluated only a part of the pods, so nothing follows from what it could not place. */
  readonly isStopped: boolean;
}

/** Pods without a node that a quota keeps out of a pool. */
interface KeptOutPods {
  readonly key: QuotaKey;
  readonly pods: number;
}

interface HeldBackPods {
  readonly key: QuotaKey;
  /** How many of them one more node would take. */
  readonly more: number;
  /** Of that node, in dollars an hour; zero on a reservation. */
  readonly price: number;
}

/** Places the pods, packs those that need new nodes, and builds the nodes. */
export function* attemptPlan(inputs: AttemptInputs): Steps<PlanAttempt> {
  const { context, scratch, policy, quotas } = inputs;
  const placement = yield* placePods(inputs);
  const { items, apart, given } = placement;
  const packings = yield* packPools(inputs, items, !placement.isStopped);
  const outcome = outcomeOf(context.options, items, packings);
  const unused = scratch.reservations.copy();
  const builders = yield* buildNodes(inputs, packings, outcome);
  const isStopped = placement.isStopped || outcome.cutShort.size > 0;
  const unpacked = isStopped ? [] : unpackedOf(outcome, given);
  const isSettled = !isStopped && unpacked.length === 0;
  // Without quotas, placement has offered every pod to every pool: nothing is held back.
  const mayGrow = isSettled && !quotas.isEmpty;
  const heldBack = isSettled
    ? [...waitingPods(placement, unused), ...(mayGrow ? yield* heldBackPods(placement, builders) : [])]
    : [];
  const keptOut = mayGrow ? keptOutPods(placement) : [];
  const waiting = new Set([...placement.waitingClasses, ...deferredClasses(outcome)]);
  placement.deferWith(waiting);
  if (mayGrow) yield* placeBeyondQuotas(placement, builders);
  // After pods without a node: those here would have one in a lighter NodePool.
  yield* inSteps(apart, (item) => builders.get(item.template)?.buildMore(item));
  if (mayGrow && policy.fillsReservations) yield* placeOnReservations(placement, builders);
  if (mayGrow) yield* placeOnExistingAgain(placement);
  const newNodes: PlannedNode[] = [];
  for (const builder of builders.values()) newNodes.push(...(yield* builder.nodes()));
  const cost = sumOfCosts(Array.from(builders.values(), (builder) => builder.cost));
  const all = { ...outcome, items: [...items, ...apart] };
  const plan = attemptedPlan({ context, scratch, placement, outcome: all, newNodes });
  const withoutNode = podsWithoutNode(context, plan);
  return { plan, cost, withoutNode, unpacked, heldBack, keptOut, given, waiting, isStopped };
}

function podsWithoutNode({ pods: { classes } }: PlanContext, { rejections, deferred }: Plan): number {
  const all = [...rejections.map(({ pod }) => pod), ...deferred];
  if (all.length === 0) return 0;
  const virtualClasses = classes.filter(({ isVirtual }) => isVirtual);
  const virtual = new Set(virtualClasses.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.uid)));
  const real = all.filter((uid) => !virtual.has(uid)).length;
  return real + (all.length - real) / (virtual.size + 1);
}

/**
 * Packs the items of every NodePool. Then packs again from the lowest weight up, without the pods that fit on nodes of
 * NodePools with less weight, and returns the cheaper result (ADR 0012).
 */
function* packPools(
  inputs: AttemptInputs,
  items: readonly PlacementItem[],
  mayStop: boolean,
): Steps<readonly PoolPacking[]> {
  const separate = yield* packEach(inputs, items, mayStop);
  if (separate.some(({ isStopped }) => isStopped) || !mayHaveSpareCapacity(separate)) return separate;
  // With quotas, placement gave each NodePool only what it can take: `holdsAll` does not show whether limits bind.
  const spare = new SpareCapacity(
    inputs.quotas.isEmpty ? separate.filter((packing) => !holdsAll(packing)) : separate,
  );
  for (const packing of separate.toReversed()) {
    const { template, items: own } = packing;
    const left = own.map((item) => ({ ...item, count: item.count - spare.reserve(item) }));
    const isFewer = left.some(({ count }, index) => count < (own[index]?.count ?? 0));
    const staying = left.filter(({ count }) => count > 0);
    const repacked = isFewer ? yield* packItems(packingInputs(inputs, template, staying)) : packing;
    // Fewer items may be packed differently, and then exceed the limits.
    if (isFewer && !holdsAll(repacked)) return separate;
    spare.offerNodesOf(repacked);
  }
  const shared = spare.packings;
  return compareCosts(costOf(shared), costOf(separate)) < 0 ? shared : separate;
}

/**
 * Packs pool by pool. If the plan is stopped during a packing, later pools are not packed: their pods count
 * as unevaluated. If it was stopped earlier, during placement, `mayStop` is false: what is placed is still
 * packed.
 */
function* packEach(
  inputs: AttemptInputs,
  items: readonly PlacementItem[],
  mayStop: boolean,
): Steps<readonly PoolPacking[]> {
  const packings: PoolPacking[] = [];
  for (const template of inputs.context.pools.templates) {
    const own = items.filter((item) => item.template === template);
    const isStopped = packings.at(-1)?.isStopped === true;
    packings.push(
      isStopped
        ? { template, items: own, nodes: [], unreserved: new Set(), isStopped }
        : yield* packItems({ ...packingInputs(inputs, template, own), mayStop }),
    );
  }
  return packings;
}

function packingInputs(
  { context, scratch: { reservations }, policy }: AttemptInputs,
  template: NodeTemplate,
  items: readonly PlacementItem[],
): PackingInputs {
  return { context, reservations, policy, template, items, mayStop: false };
}

/** Has to be called after all NodePools are packed, because nodes then share what is left of capacity reservations. */
function* buildNodes(
  { context, scratch: { reservations } }: AttemptInputs,
  packings: readonly PoolPacking[],
  { unreserved }: AttemptOutcome,
): Steps<ReadonlyMap<NodeTemplate, NodeBuilder>> {
  const { options } = context;
  const shared = {
    options,
    reservations,
    unreserved,
    explainer: new ChoiceExplainer(context),
    writer: new ClaimWriter(context),
  };
  const builders = new Map<NodeTemplate, NodeBuilder>();
  for (const { template, items, nodes } of packings) {
    const builder = new NodeBuilder({ ...shared, template, items, packed: nodes });
    builders.set(template, builder);
    yield* inSteps(nodes, (node) => builder.build(node));
  }
  // Pods of one pool may be on nodes of another: which pods have no node is known when all nodes are built.
  for (const { template, items, isStopped } of packings) {
    if (isStopped || template.remaining === undefined) continue;
    const builder = builders.get(template);
    builder?.buildLarger();
    yield* inSteps(items, (item) => builder?.buildMore(item));
  }
  return builders;
}

/** Pods that wait for a reservation of which packing left an instance unused. */
function waitingPods(placement: PodPlacement, unused: RemainingReservations): readonly HeldBackPods[] {
  return placement.classes.flatMap((each) => {
    const waiting = placement.waitingFor(each);
    if (waiting === undefined) return [];
    const { item, pods, ...key } = waiting;
    const room = reservedRoom(unused, item);
    const more = Math.min(pods, isKeptApart(item) ? Math.min(1, room) : room);
    return more > 0 ? [{ key, more, price: 0 }] : [];
  });
}

function keptOutPods(placement: PodPlacement): readonly KeptOutPods[] {
  const without = placement.classes.filter(
    ({ podClass, waiting }) => !podClass.isVirtual && waiting.length > 0,
  );
  return without.flatMap((each) =>
    placement.heldBack(each).map(({ item: _, pods: __, ...key }) => ({ key, pods: each.waiting.length })),
  );
}

function* heldBackPods(
  placement: PodPlacement,
  builders: ReadonlyMap<NodeTemplate, NodeBuilder>,
): Steps<readonly HeldBackPods[]> {
  const real = placement.classes.filter(({ podClass }) => !podClass.isVirtual);
  const held = yield* inSteps(real, (each) =>
    placement.heldBack(each).flatMap(({ item, pods, ...key }) => {
      const other = builders.get(key.template)?.oneMoreFor(item, pods);
      return other !== undefined && other.count > 0 ? [{ key, more: other.count, price: other.price }] : [];
    }),
  );
  return held.flat();
}

/** One more node each for pods that a quota rejected, where packing left room within the limits after all. */
function* placeBeyondQuotas(
  placement: PodPlacement,
  builders: ReadonlyMap<NodeTemplate, NodeBuilder>,
): Steps<void> {
  const roomFor = (item: PlacementItem, pods: number) =>
    builders.get(item.template)?.roomFor(item, pods) ?? 0;
  yield* inSteps(placement.classes, (each) => {
    const next = () => placement.beyondQuota(each, roomFor);
    for (const item of untilNone(next)) builders.get(item.template)?.buildFor(item);
  });
}

/** In rounds, because each pod may open a domain to pods of other classes. */
function* placeOnExistingAgain(placement: PodPlacement): Steps<void> {
  const retry = (each: ClassPlacement) => placement.retryExisting(each);
  for (let placed = [true]; placed.includes(true); ) placed = yield* inSteps(placement.classes, retry);
}

/** One more node each for pods that wait for a reservation, on instances that no node uses. */
function* placeOnReservations(
  placement: PodPlacement,
  builders: ReadonlyMap<NodeTemplate, NodeBuilder>,
): Steps<void> {
  const roomFor = (item: PlacementItem, pods: number) =>
    builders.get(item.template)?.reservedRoomFor(item, pods) ?? 0;
  const virtualLast = placement.classes.toSorted(
    (a, b) => Number(a.podClass.isVirtual) - Number(b.podClass.isVirtual),
  );
  yield* inSteps(virtualLast, (each) => {
    const next = () => placement.onReservation(each, roomFor);
    for (const item of untilNone(next)) builders.get(item.template)?.buildReserved(item);
  });
}

/** The results of `next`, until it returns undefined. */
function* untilNone<T>(next: () => T | undefined): Iterable<T> {
  for (let found = next(); found !== undefined; found = next()) yield found;
}
