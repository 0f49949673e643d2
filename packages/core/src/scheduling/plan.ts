import { packItems } from './item-packing.ts';
import type { NodeTemplate } from './node-template.ts';
import { type PlacementResult, placePods, type RejectedPods } from './placement.ts';
import type { PlacementItem } from './placement-item.ts';
import type { Plan, PlannedNode, PlanOptions, PoolRejection, Rejection } from './plan-result.ts';
import { plannedNodes } from './planned-nodes.ts';
import type { Snapshot } from './snapshot.ts';
import { type World, world as worldOf } from './world.ts';

/** Decides where every pod of a snapshot goes and which nodes to make for it, at the lowest price. */
export function plan(snapshot: Snapshot, options: PlanOptions): Plan {
  const steps = planSteps(snapshot, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** As `plan`, in slices: the caller may do other work between two steps. */
export function* planSteps(snapshot: Snapshot, options: PlanOptions): Generator<void, Plan> {
  const world = worldOf(snapshot, options);
  yield;
  const result = yield* placePods(world);
  const newNodes: PlannedNode[] = [];
  const rejections = result.rejected.flatMap((rejected) => rejectionsOf(world, rejected));
  for (const template of world.templates) {
    yield* packPool(world, template, result, newNodes, rejections);
  }
  return {
    revision: snapshot.revision,
    placements: world.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections,
    unevaluated: [],
  };
}

function* packPool(
  world: World,
  template: NodeTemplate,
  { items }: PlacementResult,
  newNodes: PlannedNode[],
  rejections: Rejection[],
): Generator<void, void> {
  const own = items.filter((item) => item.template === template);
  if (own.length === 0) return;
  const { machines } = yield* packItems(world.axes, template, own);
  for (const machine of machines) newNodes.push(...plannedNodes(world, template, own, machine));
  rejections.push(...own.flatMap((item) => leftovers(template, item)));
}

/** Pods for which the limits of the pool left no machine. */
function leftovers({ name }: NodeTemplate, { members }: PlacementItem): Rejection[] {
  const message = `all available instance types exceed limits for nodepool (NodePool=${name})`;
  const reasons: PoolRejection[] = [{ nodePool: name, failed: ['limits'], message }];
  return members.flatMap(({ pods }) => pods.map((pod) => ({ pod, reasons, message })));
}

function rejectionsOf({ templates }: World, { pods, reasons }: RejectedPods): Rejection[] {
  const message =
    templates.length === 0
      ? 'nodepool requirements filtered out all available instance types'
      : [...reasons]
          .sort((a, b) => ((a.nodePool ?? '') < (b.nodePool ?? '') ? -1 : 1))
          .map((reason) => reason.message)
          .join('; ');
  return pods.map((pod) => ({ pod, reasons, message }));
}
