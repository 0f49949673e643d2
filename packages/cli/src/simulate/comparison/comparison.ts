import { podNames } from '../output/pod-names.ts';
import { summary } from '../output/summary.ts';
import type { Simulated } from '../simulation.ts';

/** The plan of a cluster before and after its NodePools are exchanged. */
export interface ComparedPlans {
  readonly before: Simulated;
  readonly after: Simulated;
}

/** Where a pod is: on an existing node, or on a new node of these properties, which have no name yet. */
interface PodPlace {
  readonly node?: string;
  readonly nodePool?: string;
  readonly instanceType?: string;
  readonly capacityType?: string;
}

export interface PodMove {
  readonly pod: string;
  /** Absent if it had no place. */
  readonly from?: PodPlace;
  /** Absent if it has no place. */
  readonly to?: PodPlace;
}

interface PlanNumbers {
  readonly nodes: number;
  readonly hourlyPrice: number;
  readonly placed: number;
  readonly failed: number;
}

export interface PlanComparison {
  readonly before: PlanNumbers;
  readonly after: PlanNumbers;
  readonly difference: PlanNumbers;
  readonly moved: readonly PodMove[];
  /** Why a pod has no place afterwards, by its name. */
  readonly errors: Readonly<Record<string, string>>;
}

export function comparisonOf({ before, after }: ComparedPlans): PlanComparison {
  const [old, current] = [summary(before), summary(after)];
  const difference = (part: keyof PlanNumbers) => rounded(current[part] - old[part]);
  return {
    before: numbersOf(old),
    after: numbersOf(current),
    difference: {
      nodes: difference('nodes'),
      hourlyPrice: difference('hourlyPrice'),
      placed: difference('placed'),
      failed: difference('failed'),
    },
    moved: movedPods(before, after),
    errors: current.errors,
  };
}

function numbersOf({ nodes, hourlyPrice, placed, failed }: PlanNumbers): PlanNumbers {
  return { nodes, hourlyPrice, placed, failed };
}

/** The pods of both plans whose places differ, by name. */
function movedPods(before: Simulated, after: Simulated): readonly PodMove[] {
  const [old, current] = [placesOf(before), placesOf(after)];
  const names = podNames(before);
  return after.snapshot.pods
    .map(({ metadata }) => metadata.uid)
    .filter((uid) => names.has(uid) && placeText(old.get(uid)) !== placeText(current.get(uid)))
    .map((uid) => moveOf(names.get(uid) ?? uid, old.get(uid), current.get(uid)))
    .sort((a, b) => (a.pod < b.pod ? -1 : 1));
}

function moveOf(pod: string, from: PodPlace | undefined, to: PodPlace | undefined): PodMove {
  return { pod, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function placesOf({ plan }: Simulated): ReadonlyMap<string, PodPlace> {
  const places = new Map<string, PodPlace>();
  for (const { node, pods } of plan.placements) for (const uid of pods) places.set(uid, { node });
  for (const { nodePool, instanceTypes, choice, pods } of plan.newNodes) {
    const { capacityType } = choice.offering;
    const place = { nodePool, instanceType: instanceTypes[0] ?? '', ...(capacityType && { capacityType }) };
    for (const uid of pods) places.set(uid, place);
  }
  return places;
}

/** As tables show it. */
export function placeText(place: PodPlace | undefined): string {
  if (place === undefined) return 'no place';
  const { node, nodePool, instanceType, capacityType } = place;
  return node ?? [nodePool, instanceType, capacityType].filter((word) => word !== undefined).join(' ');
}

/** Removes the rounding error of binary fractions. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
