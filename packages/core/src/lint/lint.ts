import type { LintFinding } from './finding.ts';
import type { LintedPool, LintInput } from './lint-input.ts';
import { blockingBudgets, closedWindows, disruptedJobs, longLives } from './rules/disruption.ts';
import { burstableTypes, fewSpotTypes, noTypes, oneZone, smallLimits } from './rules/instance-types.ts';
import { blockingPodBudgets } from './rules/pod-budgets.ts';
import { missingClass, missingLimits, overlappingPools, untoleratedTaints } from './rules/pools.ts';

type PoolRule = (pool: LintedPool, input: LintInput) => readonly LintFinding[];

const poolRules: readonly PoolRule[] = [
  noTypes,
  fewSpotTypes,
  oneZone,
  burstableTypes,
  disruptedJobs,
  blockingBudgets,
  closedWindows,
  longLives,
  smallLimits,
  untoleratedTaints,
  missingClass,
  missingLimits,
];

/** Findings about NodePools and PodDisruptionBudgets, object by object. */
export function lintPools(input: LintInput): readonly LintFinding[] {
  return [
    ...input.pools.flatMap((pool) => poolRules.flatMap((rule) => rule(pool, input))),
    ...overlappingPools(input),
    ...blockingPodBudgets(input),
  ];
}
