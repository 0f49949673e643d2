import { ChoiceExplainer } from './choice-explainer.ts';
import { exceedsLimits, reservationsTaken } from './fresh-node.ts';
import { type PoolPacking, packItems } from './item-packing.ts';
import type { NodeTemplate } from './node-template.ts';
import { placePods, type RejectedPods } from './placement.ts';
import type { ItemMember, PlacementItem } from './placement-item.ts';
import type { Plan, PlannedNode, PlanOptions, PlanSignal, PoolRejection, Rejection } from './plan-result.ts';
import { plannedNodes } from './planned-nodes.ts';
import type { PodClass } from './pod-class.ts';
import { likeNodes, PoolQuotas } from './pool-quotas.ts';
import { inSlices } from './slices.ts';
import type { Snapshot } from './snapshot.ts';
import { type World, worldSteps } from './world.ts';

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
  const quotas = new PoolQuotas();
  for (let repeats = 0; ; repeats++) {
    const attempt = yield* attemptPlan(snapshot, options, quotas);
    if (attempt.unpacked.length === 0 || repeats === mostRepeats) return attempt.plan;
    for (const learnt of attempt.unpacked) learnt(quotas);
  }
}

/** Each repeat settles at least one pool; after this many the rest is rejected. */
const mostRepeats = 8;

interface Attempt {
  readonly plan: Plan;
  /** What to remember of pools that could not take all the pods that they were given. */
  readonly unpacked: readonly ((quotas: PoolQuotas) => void)[];
}

/** A pool, the items it was given and the machines for them. */
interface PackedPool extends PoolPacking {
  readonly template: NodeTemplate;
  readonly items: readonly PlacementItem[];
}

function* attemptPlan(
  snapshot: Snapshot,
  options: PlanOptions,
  quotas: PoolQuotas,
): Generator<void, Attempt, PlanSignal> {
  const world = yield* worldSteps(snapshot, options);
  yield;
  const { items, rejected, deferred, unevaluated, isStopped } = yield* placePods(world, quotas);
  const pools = yield* packPools(world, items, !isStopped);
  const newNodes = yield* makeNodes(world, pools);
  const whole = pools.filter((pool) => !pool.isStopped);
  const plan: Plan = {
    revision: snapshot.revision,
    placements: world.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections: [
      ...rejected.flatMap((pods) => rejectionsOf(world, pods)),
      ...whole.flatMap((pool) => leftovers(world, pool)),
    ],
    deferred: [...deferred, ...whole.flatMap((pool) => deferredOf(world, pool))],
    unevaluated: [
      ...unevaluated,
      ...pools
        .filter((pool) => pool.isStopped)
        .flatMap((pool) => pool.items.flatMap(leftMembers).flatMap(({ pods }) => pods)),
    ],
  };
  const isWhole = whole.length === pools.length;
  return { plan, unpacked: isWhole ? pools.flatMap((pool) => lessonsOf(world, pool, newNodes)) : [] };
}

/**
 * A plan that was stopped while pods were placed goes on to pack those: that is what it has decided. When it is
 * stopped while a pool is packed, those after it are not.
 */
function* packPools(
  world: World,
  items: readonly PlacementItem[],
  mayStop: boolean,
): Generator<void, readonly PackedPool[], PlanSignal> {
  const pools: PackedPool[] = [];
  for (const template of world.templates) {
    const own = items.filter((item) => item.template === template);
    if (own.length === 0) continue;
    const packing =
      pools.at(-1)?.isStopped === true ? unpacked : yield* packItems(world, template, own, mayStop);
    pools.push({ template, items: own, ...packing });
  }
  return pools;
}

const unpacked: PoolPacking = { machines: [], unreserved: new Set(), isStopped: true };

/** After all pools are packed, as nodes then share what is left of capacity reservations. */
function* makeNodes(
  world: World,
  pools: readonly PackedPool[],
): Generator<void, readonly PlannedNode[], PlanSignal> {
  const explainer = new ChoiceExplainer(world);
  const newNodes: PlannedNode[] = [];
  for (const packed of pools) {
    const { template, items, machines } = packed;
    const mustWait = (item: PlacementItem) => isDeferred(world, packed, item);
    const pool = { world, explainer, template, items, mustWait };
    const made = yield* inSlices(machines, 25, (machine) => plannedNodes(pool, machine));
    newNodes.push(...made.flat());
  }
  return newNodes;
}

/** Whether the pods of an item that found no machine wait for a capacity reservation. */
function isDeferred({ options }: World, { unreserved }: PackedPool, item: PlacementItem): boolean {
  return options.reservedCapacity?.mode === 'strict' && unreserved.has(item);
}

function lessonsOf(world: World, pool: PackedPool, newNodes: readonly PlannedNode[]): Attempt['unpacked'] {
  const { template, items, unreserved } = pool;
  const isStrict = world.options.reservedCapacity?.mode === 'strict';
  // Of pods that wait there is only to learn where others must not count them.
  const reserved = items.filter(
    (item) => unreserved.has(item) && !item.isSharedHost && (item.isCounted || !isStrict),
  );
  const limited = items.filter((item) => !reserved.includes(item) && !isDeferred(world, pool, item));
  const left = limited.flatMap(leftMembers);
  const leaving = left.some(({ podClass }) => !podClass.isVirtual) ? virtualClasses(items) : [];
  const limits =
    leaving.length > 0
      ? leaving.map((podClass) => limitLesson(template, podClass, 0))
      : left.map(({ podClass }) => limitLesson(template, podClass, packedOf(podClass, template, newNodes)));
  return [...limits, ...reservedLessons(reserved)];
}

function limitLesson(template: NodeTemplate, podClass: PodClass, most: number): Attempt['unpacked'][number] {
  return (quotas) => quotas.set(template, podClass, most);
}

/** Where a pool is too small for real pods, virtual ones leave it first. */
function virtualClasses(items: readonly PlacementItem[]): readonly PodClass[] {
  return items
    .flatMap(({ members }) => members)
    .map(({ podClass }) => podClass)
    .filter(({ isVirtual }) => isVirtual);
}

function reservedLessons(items: readonly PlacementItem[]): Attempt['unpacked'] {
  const packed = new Map<string, number>();
  for (const item of items) {
    for (const { podClass, pods } of item.members) {
      const like = likeNodes(item, podClass);
      packed.set(like, (packed.get(like) ?? 0) + item.count - pods.length);
    }
  }
  if (items.flatMap(leftMembers).length === 0) return [];
  return [...packed].map(
    ([like, most]) =>
      (quotas: PoolQuotas) =>
        quotas.setReserved(like, most),
  );
}

function leftMembers({ members }: PlacementItem): readonly ItemMember[] {
  return members.filter(({ pods }) => pods.length > 0);
}

function packedOf(podClass: PodClass, template: NodeTemplate, newNodes: readonly PlannedNode[]): number {
  const own = new Set(podClass.pods.map(({ metadata }) => metadata.uid));
  return newNodes
    .filter(({ nodePool }) => nodePool === template.name)
    .reduce((sum, { pods }) => sum + pods.filter((uid) => own.has(uid)).length, 0);
}

function leftovers(world: World, pool: PackedPool): Rejection[] {
  const { template, unreserved } = pool;
  return pool.items
    .filter((item) => !isDeferred(world, pool, item))
    .flatMap((item) => {
      const reasons = [unreserved.has(item) ? reservationsTaken(template) : exceedsLimits(template)];
      const message = messageOf(reasons);
      return item.members.flatMap(({ pods }) => pods.map((pod) => ({ pod, reasons, message })));
    });
}

function deferredOf(world: World, pool: PackedPool): string[] {
  return pool.items
    .filter((item) => isDeferred(world, pool, item))
    .flatMap(({ members }) => members.flatMap(({ pods }) => pods));
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
