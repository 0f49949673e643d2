import type { NodePool } from '../api/index.ts';
import { type DurationMs, nsToDurationMs, parseDuration } from '../values/index.ts';

/**
 * NodePool annotations of our own, for options that Karpenter does not have (ADR 0026). All are unset by default, and a
 * value that cannot be parsed counts as unset.
 */
export const poolOptions = {
  /** Dollars per hour that a replacement must save at least. */
  minSavings: 'karpenter-ts/min-savings',
  /** The same as a share of the candidates' price, such as `5%`. */
  minSavingsPercent: 'karpenter-ts/min-savings-percent',
  /** Longest time until the savings have paid for both nodes running side by side. */
  maxPayback: 'karpenter-ts/max-payback',
  /** How long an empty node stays, if longer than `consolidateAfter`. */
  emptyAfter: 'karpenter-ts/empty-after',
  /** How long a node with pods stays, if longer than `consolidateAfter`. */
  underutilizedAfter: 'karpenter-ts/underutilized-after',
  /** How long before expiration a node is replaced within budgets, as if it had drifted. */
  gracefulExpiry: 'karpenter-ts/graceful-expiry',
  /** `false`: nodes of the pool are never replaced by several others. */
  regrouping: 'karpenter-ts/regrouping',
  /** How often consolidation moves a pod within an hour; 2 without it. */
  podMovesPerHour: 'karpenter-ts/pod-moves-per-hour',
} as const;

type PoolOption = (typeof poolOptions)[keyof typeof poolOptions];

/** Whether an option that is on by default is not turned off. */
export function isEnabled({ metadata }: NodePool, option: PoolOption): boolean {
  return metadata.annotations?.[option]?.trim() !== 'false';
}

export function numberOption({ metadata }: NodePool, option: PoolOption): number | undefined {
  const text = metadata.annotations?.[option]?.replace(/%$/, '').trim();
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function durationOption({ metadata }: NodePool, option: PoolOption): DurationMs | undefined {
  const text = metadata.annotations?.[option];
  if (text === undefined) return undefined;
  try {
    return nsToDurationMs(parseDuration(text));
  } catch {
    return undefined;
  }
}
