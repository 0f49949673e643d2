import type { Plan, Snapshot } from '@karpenter/core/scheduling';
import type { Simulated } from '../simulation.ts';
import { namedPlan } from './named-plan.ts';
import { podNames } from './pod-names.ts';

/** A plan in numbers, in the words of the benchmark. */
export interface Summary {
  readonly pods: number;
  readonly placed: number;
  readonly failed: number;
  /** Pods on nodes that exist or are on their way. */
  readonly onExisting: number;
  /** New ones. */
  readonly nodes: number;
  /** Of the new nodes, in dollars. */
  readonly hourlyPrice: number;
  readonly seconds: number;
  /** Why a pod has no place, by its name. */
  readonly errors: Readonly<Record<string, string>>;
}

const notEvaluated = 'not evaluated before planning was stopped';

export function summary({ snapshot, plan, seconds }: Simulated): Summary {
  const onExisting = countPods(plan.placements);
  const placed = onExisting + countPods(plan.newNodes);
  return {
    pods: snapshot.pods.length,
    placed,
    failed: plan.rejections.length + plan.unevaluated.length,
    onExisting,
    nodes: plan.newNodes.length,
    hourlyPrice: hourlyPrice(plan),
    seconds: rounded(seconds),
    errors: errorsOf(plan, snapshot),
  };
}

/** For a scenario the numbers that benchmarks compare; else also the nodes, each with why it was chosen. */
export function jsonLine(simulated: Simulated): string {
  const numbers = summary(simulated);
  if (simulated.kind === 'scenario') return `${JSON.stringify(numbers)}\n`;
  const { newNodes, placements, deferred } = namedPlan(simulated);
  return `${JSON.stringify({ ...numbers, newNodes, placements, deferred })}\n`;
}

export function hourlyPrice({ newNodes }: Plan): number {
  return rounded(newNodes.reduce((sum, { price }) => sum + price, 0));
}

/** Messages by uid of every pod that has no place. */
export function failures({
  rejections,
  unevaluated,
}: Plan): readonly (readonly [uid: string, message: string])[] {
  return [
    ...rejections.map(({ pod, message }) => [pod, message] as const),
    ...unevaluated.map((pod) => [pod, notEvaluated] as const),
  ];
}

function errorsOf(plan: Plan, snapshot: Snapshot): Readonly<Record<string, string>> {
  const failed = failures(plan);
  if (failed.length === 0) return {};
  const names = podNames(snapshot);
  return Object.fromEntries(failed.map(([uid, message]) => [names.get(uid) ?? uid, message]));
}

function countPods(nodes: readonly { readonly pods: readonly string[] }[]): number {
  return nodes.reduce((sum, { pods }) => sum + pods.length, 0);
}

/** Sums of prices carry the dust of binary fractions. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
