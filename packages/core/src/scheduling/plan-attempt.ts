import { exceedsLimits } from './fresh-node.ts';
import { packItems } from './item-packing.ts';
import type { NodeTemplate } from './node-template.ts';
import { placePods, type RejectedPods } from './placement.ts';
import type { PlacementItem } from './placement-item.ts';
import type { Plan, PlannedNode, PlanSignal, PoolRejection, Rejection } from './plan-result.ts';
import { NodeMaker } from './planned-nodes.ts';
import { type GivenPods, type PoolQuotas, type QuotaKey, QuotaNumbers } from './pool-quotas.ts';
import { inSlices } from './slices.ts';
import type { World } from './world.ts';

/** A plan, and what was learnt from it about the limits of pools. */
export interface Attempt {
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

/** Places the pods, packs what needs new nodes, and makes those. */
export function* attemptPlan(world: World, quotas: PoolQuotas): Generator<void, Attempt, PlanSignal> {
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
    revision: world.snapshot.revision,
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
