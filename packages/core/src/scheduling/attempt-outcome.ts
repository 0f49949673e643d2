import type { PlanContext } from './context/plan-context.ts';
import type { PlanScratch } from './context/plan-scratch.ts';
import type { NodeTemplate } from './instance-types/node-template.ts';
import type { PoolPacking } from './packing/item-packing.ts';
import { exceedsLimits, reservationsTaken } from './placement/new-node.ts';
import type { PodPlacement, RejectedPods } from './placement/placement.ts';
import type { PlacementItem } from './placement/placement-item.ts';
import { type GivenPods, nodesKey, type QuotaKey, QuotaNumbers } from './placement/pool-quotas.ts';
import type { Plan, PlannedNode, PlanOptions, PoolRejection, Rejection } from './plan-result.ts';
import type { PodClass } from './pods/pod-class.ts';

/** The result of packing the items of all NodePools. */
export interface AttemptOutcome {
  /** Whether pods that find no capacity reservation wait for one. */
  readonly isStrict: boolean;
  readonly items: readonly PlacementItem[];
  /** Items that could use a capacity reservation, but none is left for those of their pods without a node. */
  readonly unreserved: ReadonlySet<PlacementItem>;
  /** Pools that were not packed completely before the plan was stopped. */
  readonly cutShort: ReadonlySet<NodeTemplate>;
}

/** How many pods of a quota key were packed, where that is fewer than placement gave to the NodePool. */
export interface Unpacked {
  readonly key: QuotaKey;
  readonly packed: number;
}

export function outcomeOf(
  options: PlanOptions,
  items: readonly PlacementItem[],
  packings: readonly PoolPacking[],
): AttemptOutcome {
  return {
    isStrict: options.reservedCapacity?.mode === 'strict',
    items,
    unreserved: new Set(packings.flatMap(({ unreserved }) => [...unreserved])),
    cutShort: new Set(packings.filter(({ isStopped }) => isStopped).map(({ template }) => template)),
  };
}

interface AttemptedPlan {
  readonly context: PlanContext;
  readonly scratch: PlanScratch;
  readonly placement: PodPlacement;
  readonly outcome: AttemptOutcome;
  readonly newNodes: readonly PlannedNode[];
}

/** The plan: every pod is placed, on a new node, rejected, deferred or not evaluated. */
export function attemptedPlan({ context, scratch, placement, outcome, newNodes }: AttemptedPlan): Plan {
  const { items } = outcome;
  return {
    revision: context.snapshot.revision,
    placements: scratch.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections: [
      ...placement.rejected.flatMap((pods) => rejectionsOf(context, pods)),
      ...items.flatMap((item) => unplacedOf(outcome, item)),
    ],
    deferred: [...placement.deferred, ...items.flatMap((item) => deferredOf(outcome, item))],
    unevaluated: [...placement.unevaluated, ...items.flatMap((item) => unevaluatedOf(outcome, item))],
  };
}

/** Whether pods of an item without a node wait for a capacity reservation. */
function isDeferred({ isStrict, unreserved }: AttemptOutcome, item: PlacementItem): boolean {
  return isStrict && unreserved.has(item);
}

/**
 * The quotas for the next attempt. Has to be called after nodes are built, when the pods that are left in the items are
 * those without a node.
 */
export function unpackedOf(outcome: AttemptOutcome, given: GivenPods): readonly Unpacked[] {
  const { isStrict, items, unreserved } = outcome;
  const waiting = items.filter((item) => unreserved.has(item));
  const joined = isStrict ? waiting.filter(hasUnplacedJoiners) : [];
  // Pods that wait need no quota of their own, unless other pods count them in a topology.
  const reserved = waiting.filter(
    (item) => !joined.includes(item) && (isStrict ? item.isCounted : !item.isSharedHost),
  );
  const limited = items.filter((item) => !reserved.includes(item) && !isDeferred(outcome, item));
  return [
    ...virtualPodsFirst(items, unpackedByLimits(limited, given)),
    ...unpackedByReservations(reserved, given),
    ...unpackedByLimits(joined.map(joinersOf), given),
  ];
}

/**
 * Whether pods that joined a shared host wait on it. They are held back before its first pod, which might find a
 * reservation without them (ADR 0012).
 */
function hasUnplacedJoiners({ members }: PlacementItem): boolean {
  return members.slice(1).some(({ pods }) => pods.length > 0);
}

function joinersOf(host: PlacementItem): PlacementItem {
  return { ...host, members: host.members.slice(1) };
}

function unpackedByLimits(items: readonly PlacementItem[], given: GivenPods): readonly Unpacked[] {
  const all = items.flatMap(({ template, members }) =>
    members.map(({ podClass, step, pods }) => ({ key: { template, podClass, step }, left: pods.length })),
  );
  return packedBy(
    all.filter(({ left }) => left > 0),
    given,
  );
}

/**
 * If some pods find no reservation in a pool, all pods there that depend on reservations get a quota:
 * otherwise the next attempt would give the instances of some to others.
 */
function unpackedByReservations(items: readonly PlacementItem[], given: GivenPods): readonly Unpacked[] {
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

interface PodsLeft {
  readonly key: QuotaKey;
  /** How many have no node. */
  readonly left: number;
}

function packedBy(counted: readonly PodsLeft[], given: GivenPods): readonly Unpacked[] {
  const packed = new QuotaNumbers();
  for (const { key, left } of counted) packed.set(key, (packed.get(key) ?? given.of(key)) - left);
  return counted.map(({ key }) => ({ key, packed: packed.get(key) ?? 0 }));
}

/**
 * Where the limits of a NodePool are too small for real pods, its virtual pods leave it first (ADR 0010). How many real
 * pods it can take is known only after that, so the next attempt sets the quotas of the real ones.
 */
function virtualPodsFirst(
  items: readonly PlacementItem[],
  unpacked: readonly Unpacked[],
): readonly Unpacked[] {
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

function unplacedOf(outcome: AttemptOutcome, item: PlacementItem): Rejection[] {
  const { template, members } = item;
  if (isDeferred(outcome, item) || outcome.cutShort.has(template)) return [];
  const reasons = [outcome.unreserved.has(item) ? reservationsTaken(template) : exceedsLimits(template)];
  return members.flatMap(({ pods }) => pods.map((pod) => ({ pod, reasons, message: messageOf(reasons) })));
}

function deferredOf(outcome: AttemptOutcome, item: PlacementItem): string[] {
  return isDeferred(outcome, item) ? item.members.flatMap(({ pods }) => pods) : [];
}

export function deferredClasses(outcome: AttemptOutcome): ReadonlySet<PodClass> {
  const waiting = outcome.items.filter((item) => isDeferred(outcome, item));
  const left = waiting.flatMap(({ members }) => members.filter(({ pods }) => pods.length > 0));
  return new Set(left.map(({ podClass }) => podClass));
}

function unevaluatedOf({ cutShort }: AttemptOutcome, { template, members }: PlacementItem): string[] {
  return cutShort.has(template) ? members.flatMap(({ pods }) => pods) : [];
}

function rejectionsOf({ pools }: PlanContext, { pods, reasons }: RejectedPods): Rejection[] {
  const message =
    pools.templates.length === 0
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
