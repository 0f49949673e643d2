import type { Obstacle } from './filters/index.ts';

/** Why a pod fits no node: an obstacle per node, or one reason for all. */
export interface Diagnosis {
  readonly nodeCount: number;
  /** By node name. */
  readonly obstacles: ReadonlyMap<string, Obstacle>;
  readonly refusal?: string;
}

/** The FitError text of kube-scheduler: counts with reasons, sorted as text. */
export function diagnosisText({ nodeCount, obstacles, refusal }: Diagnosis): string {
  const reasons = refusal ?? histogram([...obstacles.values()].flatMap((obstacle) => obstacle.reasons));
  return `0/${nodeCount} nodes are available: ${reasons}.`;
}

export function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
