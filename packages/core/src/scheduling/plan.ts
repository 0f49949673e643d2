import { exceedsLimits } from './fresh-node.ts';
import { packItems } from './item-packing.ts';
import type { NodeTemplate } from './node-template.ts';
import { type PlacementResult, placePods, type RejectedPods } from './placement.ts';
import type { PlacementItem } from './placement-item.ts';
import type { Plan, PlannedNode, PlanOptions, PlanSignal, PoolRejection, Rejection } from './plan-result.ts';
import { plannedNodes } from './planned-nodes.ts';
import type { PodClass } from './pod-class.ts';
import { PoolQuotas } from './pool-quotas.ts';
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
    for (const { template, podClass, packed } of corrections(attempt)) quotas.set(template, podClass, packed);
  }
}

/** Each repeat settles at least one pool; after this many the rest is rejected. */
const mostRepeats = 8;

interface Attempt {
  readonly plan: Plan;
  readonly items: readonly PlacementItem[];
  /** Classes of which a pool could not take all the pods that it was given. */
  readonly unpacked: readonly Unpacked[];
}

interface Unpacked {
  readonly template: NodeTemplate;
  readonly podClass: PodClass;
  readonly packed: number;
}

function* attemptPlan(
  snapshot: Snapshot,
  options: PlanOptions,
  quotas: PoolQuotas,
): Generator<void, Attempt, PlanSignal> {
  const world = yield* worldSteps(snapshot, options);
  yield;
  const placed = yield* placePods(world, quotas);
  const { items, rejected } = placed;
  const { newNodes, cutShort } = yield* makeNodes(world, placed);
  const whole = items.filter(({ template }) => !cutShort.has(template));
  const plan: Plan = {
    revision: snapshot.revision,
    placements: world.nodes
      .filter(({ placed }) => placed.length > 0)
      .map(({ name, placed }) => ({ node: name, pods: placed })),
    newNodes,
    rejections: [...rejected.flatMap((pods) => rejectionsOf(world, pods)), ...whole.flatMap(leftovers)],
    unevaluated: [
      ...placed.unevaluated,
      ...items
        .filter(({ template }) => cutShort.has(template))
        .flatMap(({ members }) => members.flatMap(({ pods }) => pods)),
    ],
  };
  return { plan, items, unpacked: cutShort.size > 0 ? [] : unpackedClasses(items, newNodes) };
}

interface MadeNodes {
  readonly newNodes: readonly PlannedNode[];
  /** Pools that were not packed to the end before the plan was stopped. */
  readonly cutShort: ReadonlySet<NodeTemplate>;
}

/** A plan that was stopped while pods were placed goes on to pack those: that is what it has decided. */
function* makeNodes(
  world: World,
  { items, isStopped }: PlacementResult,
): Generator<void, MadeNodes, PlanSignal> {
  const newNodes: PlannedNode[] = [];
  const cutShort = new Set<NodeTemplate>();
  for (const template of world.templates) {
    const own = items.filter((item) => item.template === template);
    if (own.length === 0) continue;
    if (cutShort.size > 0) {
      cutShort.add(template);
      continue;
    }
    const packing = yield* packItems(world.axes, template, own, !isStopped);
    if (packing.isStopped) cutShort.add(template);
    const made = yield* inSlices(packing.machines, 25, (machine) =>
      plannedNodes(world, template, own, machine),
    );
    newNodes.push(...made.flat());
  }
  return { newNodes, cutShort };
}

function unpackedClasses(
  items: readonly PlacementItem[],
  newNodes: readonly PlannedNode[],
): readonly Unpacked[] {
  const left = items.flatMap(({ template, members }) =>
    members.filter(({ pods }) => pods.length > 0).map(({ podClass }) => ({ template, podClass })),
  );
  return left.map(({ template, podClass }) => {
    const own = new Set(podClass.pods.map(({ metadata }) => metadata.uid));
    const packed = newNodes
      .filter(({ nodePool }) => nodePool === template.name)
      .reduce((sum, { pods }) => sum + pods.filter((uid) => own.has(uid)).length, 0);
    return { template, podClass, packed };
  });
}

/** What the next attempt must know. Where a pool is too small for real pods, virtual ones leave it first. */
function corrections({ items, unpacked }: Attempt): readonly Unpacked[] {
  const isShort = (template: NodeTemplate) =>
    unpacked.some((each) => each.template === template && !each.podClass.isVirtual);
  const leaving = items
    .filter(({ template }) => isShort(template))
    .flatMap(({ template, members }) =>
      members
        .filter(({ podClass }) => podClass.isVirtual)
        .map(({ podClass }) => ({ template, podClass, packed: 0 })),
    );
  const isLeft = (template: NodeTemplate) => leaving.some((each) => each.template === template);
  return [...leaving, ...unpacked.filter(({ template }) => !isLeft(template))];
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
