import { isRejection } from './fresh-node.ts';
import { packItems } from './item-packing.ts';
import { placePods, type RejectedPods } from './placement.ts';
import type { PlacementItem } from './placement-item.ts';
import type { Plan, PlannedNode, PlanOptions, PlanSignal, PoolRejection, Rejection } from './plan-result.ts';
import { plannedNodes } from './planned-nodes.ts';
import type { Snapshot } from './snapshot.ts';
import { type World, world as worldOf } from './world.ts';

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
  const world = worldOf(snapshot, options);
  yield;
  const { items, rejected, unevaluated } = yield* placePods(world);
  const left = [...items];
  const newNodes: PlannedNode[] = [];
  const rejections = rejected.flatMap((pods) => rejectionsOf(world, pods));
  for (const template of world.templates) {
    const own = left.filter((item) => item.template === template);
    if (own.length === 0) continue;
    const { machines } = yield* packItems(world.axes, template, own);
    for (const machine of machines) newNodes.push(...plannedNodes(world, template, own, machine));
    for (const item of own) left.push(...movedElsewhere(item));
    rejections.push(...own.flatMap(leftovers));
  }
  return {
    revision: snapshot.revision,
    placements: world.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections,
    unevaluated,
  };
}

/** Pods for which the limits of their pool left no machine go to the next pool that takes them. */
function movedElsewhere(item: PlacementItem): PlacementItem[] {
  const [member] = item.members;
  if (member === undefined || member.pods.length === 0) return [];
  for (const [index, pool] of item.elsewhere.entries()) {
    const answer = pool.ask();
    if (isRejection(answer)) continue;
    const pods = member.pods.splice(0);
    const elsewhere = item.elsewhere.slice(index + 1);
    return [{ ...item, ...answer, members: [{ ...member, pods }], elsewhere, count: pods.length }];
  }
  return [];
}

function leftovers({ template: { name }, members, elsewhere }: PlacementItem): Rejection[] {
  const text = `all available instance types exceed limits for nodepool (NodePool=${name})`;
  const own: PoolRejection = { nodePool: name, failed: ['limits'], message: text };
  const reasons = [own, ...elsewhere.map((pool) => pool.ask()).filter(isRejection)];
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
