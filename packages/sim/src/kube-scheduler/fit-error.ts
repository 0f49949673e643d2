import type { Obstacle } from './filters/index.ts';

/** Why a pod has no node: how many nodes have which obstacle, or one reason for all. */
export interface Diagnosis {
  readonly nodeCount: number;
  /** Of single nodes, by name. */
  readonly obstacles: ReadonlyMap<string, Obstacle>;
  readonly refusal?: string;
}

/** As the scheduler writes it: counts and reasons in the order of their texts. */
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
