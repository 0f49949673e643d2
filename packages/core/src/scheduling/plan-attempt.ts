import { inSteps } from '../yielding/index.ts';
import type { World } from './context/world.ts';
import { costOf, holdsAll, mayHaveSpareCapacity, SpareCapacity } from './existing-nodes/spare-capacity.ts';
import type { NodeTemplate } from './instance-types/node-template.ts';
import { type Reservations, reservedRoom } from './limits/reservations.ts';
import { ClaimWriter } from './new-nodes/claim-writer.ts';
import { isKeptApart, NodeMaker } from './new-nodes/planned-nodes.ts';
import { compareCosts } from './packing/cost.ts';
import { type PoolPacking, packItems } from './packing/item-packing.ts';
import { exceedsLimits, reservationsTaken } from './placement/fresh-node.ts';
import { type Placement, placePods, type RejectedPods } from './placement/placement.ts';
import type { PlacementItem } from './placement/placement-item.ts';
import {
  type GivenPods,
  nodesKey,
  type PoolQuotas,
  type QuotaKey,
  QuotaNumbers,
} from './placement/pool-quotas.ts';
import type { Plan, PlannedNode, PlanSignal, PoolRejection, Rejection } from './plan-result.ts';
import type { PodClass } from './pods/pod-class.ts';
import { ChoiceExplainer } from './reasons/choice-explainer.ts';

/** A plan, and what was learnt from it about limits and reservations. */
export interface Attempt {
  readonly plan: Plan;
  /** Pods of which a pool is to be given fewer, because it could not take all. */
  readonly unpacked: readonly Unpacked[];
  /** Pods that a pool was not given, although it could make another node for them or has a reservation left. */
  readonly heldBack: readonly HeldBackPods[];
  readonly given: GivenPods;
  /** Classes of pods that wait for a capacity reservation. */
  readonly waiting: ReadonlySet<PodClass>;
  /** A plan that was stopped has nothing to teach. */
  readonly isStopped: boolean;
}

interface Unpacked {
  readonly key: QuotaKey;
  readonly packed: number;
}

interface HeldBackPods {
  readonly key: QuotaKey;
  /** How many of them the other node would take. */
  readonly more: number;
  /** What that node would cost, in dollars an hour; nothing where it is reserved. */
  readonly price: number;
}

/** Places the pods, packs what needs new nodes, and makes those. */
export function* attemptPlan(world: World, quotas: PoolQuotas): Generator<void, Attempt, PlanSignal> {
  const placement = yield* placePods(world, quotas);
  const { items } = placement;
  const packings = yield* packPools(world, items, { mayStop: !placement.isStopped, quotas });
  const outcome = outcomeOf(world, items, packings);
  const unused = world.reservations.remaining();
  const makers = yield* makeNodes(world, packings, outcome);
  const isStopped = placement.isStopped || outcome.cutShort.size > 0;
  const { given } = placement;
  const unpacked = isStopped ? [] : lessonsOf(outcome, given);
  const isSettled = !isStopped && unpacked.length === 0;
  // Where nothing is held back by a quota, there is nobody to give another chance.
  const mayGrow = isSettled && !quotas.isEmpty;
  const heldBack = isSettled
    ? [...waitingPods(placement, unused), ...(mayGrow ? yield* heldBackPods(placement, makers) : [])]
    : [];
  const waiting = new Set([...placement.waitingClasses, ...deferredClasses(outcome)]);
  placement.waitWith(waiting);
  if (mayGrow) yield* beyondQuotas(placement, makers);
  const newNodes: PlannedNode[] = [];
  for (const maker of makers.values()) newNodes.push(...(yield* maker.nodes()));
  const plan: Plan = {
    revision: world.snapshot.revision,
    placements: world.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections: [
      ...placement.rejected.flatMap((pods) => rejectionsOf(world, pods)),
      ...items.flatMap((item) => leftovers(outcome, item)),
    ],
    deferred: [...placement.deferred, ...items.flatMap((item) => deferredOf(outcome, item))],
    unevaluated: [...placement.unevaluated, ...items.flatMap((item) => unevaluatedOf(outcome, item))],
  };
  return { plan, unpacked, heldBack, given, waiting, isStopped };
}

/** Packs the items of every pool, and again without those that have room on machines of lighter pools. */
function* packPools(
  world: World,
  items: readonly PlacementItem[],
  { mayStop, quotas }: { readonly mayStop: boolean; readonly quotas: PoolQuotas },
): Generator<void, readonly PoolPacking[], PlanSignal> {
  const plain = yield* packEach(world, items, mayStop);
  if (plain.some(({ isStopped }) => isStopped) || !mayHaveSpareCapacity(plain)) return plain;
  const guests = new SpareCapacity(quotas.isEmpty ? plain.filter((packing) => !holdsAll(packing)) : plain);
  for (const packing of plain.toReversed()) {
    const { template, items: own } = packing;
    const left = own.map((item) => ({ ...item, count: item.count - guests.seat(item) }));
    const isFewer = left.some(({ count }, index) => count < (own[index]?.count ?? 0));
    const staying = left.filter(({ count }) => count > 0);
    const repacked = isFewer ? yield* packItems(world, template, staying, false) : packing;
    // Fewer items may be packed otherwise, and no longer within the limits.
    if (isFewer && !holdsAll(repacked)) return plain;
    guests.invite(repacked);
  }
  const shared = guests.packings;
  return compareCosts(costOf(shared), costOf(plain)) < 0 ? shared : plain;
}

/**
 * A plan that was stopped while pods were placed goes on to pack those: that is what it has decided. When it is
 * stopped while a pool is packed, those after it are not.
 */
function* packEach(
  world: World,
  items: readonly PlacementItem[],
  mayStop: boolean,
): Generator<void, readonly PoolPacking[], PlanSignal> {
  const packings: PoolPacking[] = [];
  for (const template of world.templates) {
    const own = items.filter((item) => item.template === template);
    const isStopped = packings.at(-1)?.isStopped === true;
    packings.push(
      isStopped
        ? { template, items: own, machines: [], unreserved: new Set(), isStopped }
        : yield* packItems(world, template, own, mayStop),
    );
  }
  return packings;
}

/** After all pools are packed, as nodes then share what is left of capacity reservations. */
function* makeNodes(
  world: World,
  packings: readonly PoolPacking[],
  { unreserved }: Outcome,
): Generator<void, ReadonlyMap<NodeTemplate, NodeMaker>, PlanSignal> {
  const explainer = new ChoiceExplainer(world);
  const writer = new ClaimWriter(world);
  const makers = new Map<NodeTemplate, NodeMaker>();
  for (const { template, items, machines } of packings) {
    const maker = new NodeMaker({ world, explainer, writer, template, items, machines, unreserved });
    makers.set(template, maker);
    yield* inSteps(machines, (machine) => maker.make(machine));
  }
  // Pods of one pool may be on machines of another: whoever has no node is known when all machines are made.
  for (const { template, items, isStopped } of packings) {
    if (isStopped || template.remaining === undefined) continue;
    const maker = makers.get(template);
    maker?.makeSuspect();
    yield* inSteps(items, (item) => maker?.makeMore(item));
  }
  return makers;
}

/** Pods that wait for a reservation of which there is an instance that nobody was packed on. */
function waitingPods(placement: Placement, unused: Reservations): readonly HeldBackPods[] {
  return placement.classes.flatMap((each) => {
    const waiting = placement.waitingFor(each);
    if (waiting === undefined) return [];
    const { item, pods, ...key } = waiting;
    const room = reservedRoom(unused, item);
    const more = Math.min(pods, isKeptApart(item) ? Math.min(1, room) : room);
    return more > 0 ? [{ key, more, price: 0 }] : [];
  });
}

function* heldBackPods(
  placement: Placement,
  makers: ReadonlyMap<NodeTemplate, NodeMaker>,
): Generator<void, readonly HeldBackPods[], PlanSignal> {
  const real = placement.classes.filter(({ podClass }) => !podClass.isVirtual);
  const held = yield* inSteps(real, (each) =>
    placement.heldBack(each).flatMap(({ item, pods, ...key }) => {
      const other = makers.get(key.template)?.oneMoreFor(item, pods);
      return other !== undefined && other.count > 0 ? [{ key, more: other.count, price: other.price }] : [];
    }),
  );
  return held.flat();
}

/** One more node each for pods that were turned away, where packing less than it could has left room. */
function* beyondQuotas(
  placement: Placement,
  makers: ReadonlyMap<NodeTemplate, NodeMaker>,
): Generator<void, void, PlanSignal> {
  const roomFor = (item: PlacementItem, pods: number) => makers.get(item.template)?.roomFor(item, pods) ?? 0;
  yield* inSteps(placement.classes, (each) => {
    for (;;) {
      const item = placement.beyondQuota(each, roomFor);
      if (item === undefined) return;
      makers.get(item.template)?.makeFor(item);
    }
  });
}

/** What came of packing. */
interface Outcome {
  readonly isStrict: boolean;
  readonly items: readonly PlacementItem[];
  /** Items that could use a capacity reservation, of which none is left for those of their pods without a machine. */
  readonly unreserved: ReadonlySet<PlacementItem>;
  /** Pools that were not packed to the end before the plan was stopped. */
  readonly cutShort: ReadonlySet<NodeTemplate>;
}

function outcomeOf(
  { options }: World,
  items: readonly PlacementItem[],
  packings: readonly PoolPacking[],
): Outcome {
  return {
    isStrict: options.reservedCapacity?.mode === 'strict',
    items,
    unreserved: new Set(packings.flatMap(({ unreserved }) => [...unreserved])),
    cutShort: new Set(packings.filter(({ isStopped }) => isStopped).map(({ template }) => template)),
  };
}

/** Whether the pods of an item that found no machine wait for a capacity reservation. */
function isDeferred({ isStrict, unreserved }: Outcome, item: PlacementItem): boolean {
  return isStrict && unreserved.has(item);
}

function lessonsOf(outcome: Outcome, given: GivenPods): readonly Unpacked[] {
  const { isStrict, items, unreserved } = outcome;
  const waiting = items.filter((item) => unreserved.has(item));
  const joined = isStrict ? waiting.filter(hasUnplacedJoiners) : [];
  // Of pods that wait there is only to learn where others must not count them.
  const reserved = waiting.filter(
    (item) => !joined.includes(item) && (isStrict ? item.isCounted : !item.isSharedHost),
  );
  const limited = items.filter((item) => !reserved.includes(item) && !isDeferred(outcome, item));
  return [
    ...corrected(items, limitLessons(limited, given)),
    ...reservedLessons(reserved, given),
    ...limitLessons(joined.map(joinersOf), given),
  ];
}

/** Whether pods wait on a shared host of which the first might have found a reservation without the others. */
function hasUnplacedJoiners({ members }: PlacementItem): boolean {
  return members.slice(1).some(({ pods }) => pods.length > 0);
}

function joinersOf(host: PlacementItem): PlacementItem {
  return { ...host, members: host.members.slice(1) };
}

function limitLessons(items: readonly PlacementItem[], given: GivenPods): readonly Unpacked[] {
  const all = items.flatMap(({ template, members }) =>
    members.map(({ podClass, step, pods }) => ({ key: { template, podClass, step }, left: pods.length })),
  );
  return packedBy(
    all.filter(({ left }) => left > 0),
    given,
  );
}

/** When some find no reservation in a pool, none there that depend on reservations can be more than they are. */
function reservedLessons(items: readonly PlacementItem[], given: GivenPods): readonly Unpacked[] {
  const all = items.flatMap(({ template, firstRequirements, members, isSharedHost }) =>
    members.slice(0, 1).map(({ podClass, pods }) => ({
      key: nodesKey(template, firstRequirements, podClass),
      left: isSharedHost ? Math.min(1, pods.length) : pods.length,
    })),
  );
  const short = new Set(all.filter(({ left }) => left > 0).map(({ key }) => key.template));
  return packedBy(
    all.filter(({ key }) => short.has(key.template)),
    given,
  );
}

interface LeftPods {
  readonly key: QuotaKey;
  /** How many have no machine. */
  readonly left: number;
}

function packedBy(counted: readonly LeftPods[], given: GivenPods): readonly Unpacked[] {
  const packed = new QuotaNumbers();
  for (const { key, left } of counted) packed.set(key, (packed.get(key) ?? given.of(key)) - left);
  return counted.map(({ key }) => ({ key, packed: packed.get(key) ?? 0 }));
}

/** Where a pool is too small for real pods, virtual ones leave it first, and only then is it known what it can take. */
function corrected(items: readonly PlacementItem[], unpacked: readonly Unpacked[]): readonly Unpacked[] {
  const isShort = (template: NodeTemplate) =>
    unpacked.some(({ key }) => key.template === template && !key.podClass.isVirtual);
  const leaving = items
    .filter(({ template }) => isShort(template))
    .flatMap(({ template, members }) =>
      members
        .filter(({ podClass }) => podClass.isVirtual)
        .map(({ podClass, step }) => ({ key: { template, podClass, step }, packed: 0 })),
    );
  const isLeft = (template: NodeTemplate) => leaving.some(({ key }) => key.template === template);
  return [...leaving, ...unpacked.filter(({ key }) => !isLeft(key.template))];
}

function leftovers(outcome: Outcome, item: PlacementItem): Rejection[] {
  const { template, members } = item;
  if (isDeferred(outcome, item) || outcome.cutShort.has(template)) return [];
  const reasons = [outcome.unreserved.has(item) ? reservationsTaken(template) : exceedsLimits(template)];
  return members.flatMap(({ pods }) => pods.map((pod) => ({ pod, reasons, message: messageOf(reasons) })));
}

function deferredOf(outcome: Outcome, item: PlacementItem): string[] {
  return isDeferred(outcome, item) ? item.members.flatMap(({ pods }) => pods) : [];
}

function deferredClasses(outcome: Outcome): ReadonlySet<PodClass> {
  const waiting = outcome.items.filter((item) => isDeferred(outcome, item));
  const left = waiting.flatMap(({ members }) => members.filter(({ pods }) => pods.length > 0));
  return new Set(left.map(({ podClass }) => podClass));
}

function unevaluatedOf({ cutShort }: Outcome, { template, members }: PlacementItem): string[] {
  return cutShort.has(template) ? members.flatMap(({ pods }) => pods) : [];
}

function rejectionsOf({ templates }: World, { pods, reasons }: RejectedPods): Rejection[] {
  const message =
    templates.length === 0
      ? 'nodepool requirements filtered out all available instance types'
      : messageOf(reasons);
  return pods.map((pod) => ({ pod, reasons, message }));
}

function messageOf(reasons: readonly PoolRejection[]): string {
  return [...reasons]
    .sort((a, b) => ((a.nodePool ?? '') < (b.nodePool ?? '') ? -1 : 1))
    .map(({ message }) => message)
    .join('; ');
}
