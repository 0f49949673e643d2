import { exceedsLimits } from './fresh-node.ts';
import { Guests, mayHaveGuests, type PoolPacking, priceOf } from './guests.ts';
import { packItems } from './item-packing.ts';
import type { NodeTemplate } from './node-template.ts';
import { type Placement, placePods, type RejectedPods } from './placement.ts';
import type { PlacementItem } from './placement-item.ts';
import type { Plan, PlannedNode, PlanSignal, PoolRejection, Rejection } from './plan-result.ts';
import { NodeMaker } from './planned-nodes.ts';
import { type GivenPods, type PoolQuotas, type QuotaKey, QuotaNumbers } from './pool-quotas.ts';
import { inSlices } from './slices.ts';
import type { World } from './world.ts';

/** A plan, and what was learnt from it about the limits of pools. */
export interface Attempt {
  readonly plan: Plan;
  /** Pods of which a pool is to be given fewer, because it could not take all. */
  readonly unpacked: readonly Unpacked[];
  /** Pods that a pool was not given, although it could make another node for them. */
  readonly heldBack: readonly HeldBackPods[];
}

interface Unpacked {
  readonly key: QuotaKey;
  readonly packed: number;
}

interface HeldBackPods {
  readonly key: QuotaKey;
  /** How many of them the other node would take. */
  readonly more: number;
}

/** Places the pods, packs what needs new nodes, and makes those. */
export function* attemptPlan(world: World, quotas: PoolQuotas): Generator<void, Attempt, PlanSignal> {
  const placement = yield* placePods(world, quotas);
  const { items } = placement;
  const packings = yield* packPools(world, items);
  const newNodes: PlannedNode[] = [];
  const makers = new Map<NodeTemplate, NodeMaker>();
  for (const { template, items: own, machines } of packings) {
    const maker = new NodeMaker(world, template, own);
    makers.set(template, maker);
    const made = yield* inSlices(machines, 50, (machine) => maker.make(machine));
    newNodes.push(...made.flat(), ...maker.makeRest());
  }
  const unpacked = corrected(items, unpackedPods(items, placement.given));
  const real = placement.heldBack.filter(({ podClass }) => !podClass.isVirtual);
  const heldBack = real.flatMap(({ item, pods, ...key }) => {
    const more = makers.get(key.template)?.roomFor(item, pods) ?? 0;
    return more > 0 ? [{ key, more }] : [];
  });
  if (unpacked.length === 0) newNodes.push(...beyondQuotas(placement, makers));
  const plan: Plan = {
    revision: world.snapshot.revision,
    placements: world.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections: [
      ...placement.rejected.flatMap((pods) => rejectionsOf(world, pods)),
      ...items.flatMap(leftovers),
    ],
    unevaluated: placement.unevaluated,
  };
  return { plan, unpacked, heldBack };
}

/** Packs the items of every pool, and again without those that have room on machines of lighter pools. */
function* packPools(
  { axes, templates }: World,
  items: readonly PlacementItem[],
): Generator<void, readonly PoolPacking[], PlanSignal> {
  const plain: PoolPacking[] = [];
  for (const template of templates) {
    const own = items.filter((item) => item.template === template);
    const machines = own.length === 0 ? [] : (yield* packItems(axes, template, own)).machines;
    plain.push({ template, items: own, machines });
  }
  if (!mayHaveGuests(plain)) return plain;
  const guests = new Guests();
  for (const { template, items: own, machines } of plain.toReversed()) {
    const left = own.map((item) => ({ ...item, count: item.count - guests.seat(item) }));
    const isFewer = left.some(({ count }, index) => count < (own[index]?.count ?? 0));
    const staying = left.filter(({ count }) => count > 0);
    if (!isFewer) guests.invite({ template, items: own, machines });
    else if (staying.length === 0) guests.invite({ template, items: [], machines: [] });
    else
      guests.invite({
        template,
        items: staying,
        machines: (yield* packItems(axes, template, staying)).machines,
      });
  }
  const shared = guests.packings;
  return priceOf(shared) < priceOf(plain) - noMoney ? shared : plain;
}

/** Less than this is rounding. */
const noMoney = 1e-9;

/** One more node each for pods that were turned away, where packing less than it could has left room. */
function beyondQuotas(
  placement: Placement,
  makers: ReadonlyMap<NodeTemplate, NodeMaker>,
): readonly PlannedNode[] {
  const roomFor = (item: PlacementItem, pods: number) => makers.get(item.template)?.roomFor(item, pods) ?? 0;
  const nodes: PlannedNode[] = [];
  for (const item of placement.beyondQuotas(roomFor)) {
    nodes.push(...(makers.get(item.template)?.makeFor(item) ?? []));
  }
  return nodes;
}

function unpackedPods(items: readonly PlacementItem[], given: GivenPods): readonly Unpacked[] {
  const packed = new QuotaNumbers();
  const left = items.flatMap(({ template, members }) =>
    members.filter(({ pods }) => pods.length > 0).map((member) => ({ template, ...member })),
  );
  for (const key of left) packed.set(key, (packed.get(key) ?? given.of(key)) - key.pods.length);
  return left.map((key) => ({ key, packed: packed.get(key) ?? 0 }));
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

function leftovers({ template, members }: PlacementItem): Rejection[] {
  const reasons = [exceedsLimits(template)];
  return members.flatMap(({ pods }) => pods.map((pod) => ({ pod, reasons, message: messageOf(reasons) })));
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
