import { exceedsLimits } from './fresh-node.ts';
import { packItems } from './item-packing.ts';
import type { NodeTemplate } from './node-template.ts';
import { placePods, type RejectedPods } from './placement.ts';
import type { PlacementItem } from './placement-item.ts';
import type { Plan, PlannedNode, PlanOptions, PlanSignal, PoolRejection, Rejection } from './plan-result.ts';
import { NodeMaker } from './planned-nodes.ts';
import { type GivenPods, PoolQuotas, type QuotaKey, QuotaNumbers } from './pool-quotas.ts';
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
  let attempt = yield* attemptPlan(snapshot, options, quotas);
  for (let repeats = 0; attempt.unpacked.length > 0 && repeats < mostRepeats; repeats++) {
    for (const { key, packed } of attempt.unpacked) quotas.set(key, packed);
    attempt = yield* attemptPlan(snapshot, options, quotas);
  }
  return yield* grownPlan(attempt, snapshot, options, quotas);
}

/** Each repeat settles at least one pool; after this many the rest is rejected. */
const mostRepeats = 8;

/** Pods planned in vain in search of a better use of limits; a large cluster is tried once. */
const mostPodsInVain = 10_000;

/**
 * Fewer pods may be packed otherwise, and leave room within the limits for some that were turned away. Each kind
 * is given another chance, one at a time.
 */
function* grownPlan(
  first: Attempt,
  snapshot: Snapshot,
  options: PlanOptions,
  quotas: PoolQuotas,
): Generator<void, Plan, PlanSignal> {
  const refused = new QuotaNumbers();
  let best = first;
  for (let inVain = 0; inVain < mostPodsInVain; ) {
    const next = best.heldBack.find(({ key }) => refused.get(key) === undefined);
    if (next === undefined) break;
    const { key, more } = next;
    const before = quotas.of(key);
    quotas.set(key, before + more);
    const attempt = yield* attemptPlan(snapshot, options, quotas);
    if (attempt.unpacked.length === 0) {
      best = attempt;
      continue;
    }
    quotas.set(key, before);
    refused.set(key, before + more);
    inVain += snapshot.pods.length;
  }
  return best.plan;
}

interface Attempt {
  readonly plan: Plan;
  /** Pods of which a pool could not take all that it was given. */
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

function* attemptPlan(
  snapshot: Snapshot,
  options: PlanOptions,
  quotas: PoolQuotas,
): Generator<void, Attempt, PlanSignal> {
  const world = yield* worldSteps(snapshot, options);
  yield;
  const { items, rejected, unevaluated, given, heldBack } = yield* placePods(world, quotas);
  const newNodes: PlannedNode[] = [];
  const makers = new Map<NodeTemplate, NodeMaker>();
  for (const template of world.templates) {
    const own = items.filter((item) => item.template === template);
    const maker = new NodeMaker(world, template, own);
    makers.set(template, maker);
    if (own.length === 0) continue;
    const { machines } = yield* packItems(world.axes, template, own);
    const made = yield* inSlices(machines, 50, (machine) => maker.make(machine));
    newNodes.push(...made.flat(), ...maker.makeRest());
  }
  const plan: Plan = {
    revision: snapshot.revision,
    placements: world.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections: [...rejected.flatMap((pods) => rejectionsOf(world, pods)), ...items.flatMap(leftovers)],
    unevaluated,
  };
  return {
    plan,
    unpacked: unpackedPods(items, given),
    heldBack: heldBack.flatMap(({ item, pods, ...key }) => {
      const more = makers.get(key.template)?.roomFor(item, pods) ?? 0;
      return more > 0 ? [{ key, more }] : [];
    }),
  };
}

function unpackedPods(items: readonly PlacementItem[], given: GivenPods): readonly Unpacked[] {
  const packed = new QuotaNumbers();
  const left = items.flatMap(({ template, members }) =>
    members.filter(({ pods }) => pods.length > 0).map((member) => ({ template, ...member })),
  );
  for (const key of left) packed.set(key, (packed.get(key) ?? given.of(key)) - key.pods.length);
  return left.map((key) => ({ key, packed: packed.get(key) ?? 0 }));
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
