import type { NodePool } from '../api/index.ts';
import { type DurationMs, nsToDurationMs, parseDuration } from '../values/index.ts';

/**
 * Annotations of a NodePool by which its owner asks for what Karpenter does not know. None is there by default, and
 * what cannot be read asks for nothing.
 */
export const poolOptions = {
  /** Dollars an hour that a replacement has to save at least. */
  minSavings: 'karpenter-ts/min-savings',
  /** The same as a share of what is given up, such as `5%`. */
  minSavingsPercent: 'karpenter-ts/min-savings-percent',
  /** The longest time until the savings have paid for both nodes running side by side. */
  maxPayback: 'karpenter-ts/max-payback',
  /** How long an empty node is left alone, if longer than `consolidateAfter`. */
  emptyAfter: 'karpenter-ts/empty-after',
  /** How long a node with pods is left alone, if longer than `consolidateAfter`. */
  underutilizedAfter: 'karpenter-ts/underutilized-after',
  /** How long before it expires a node is replaced as budgets allow, as if it had drifted. */
  gracefulExpiry: 'karpenter-ts/graceful-expiry',
} as const;

type Wish = (typeof poolOptions)[keyof typeof poolOptions];

export function numberOption({ metadata }: NodePool, wish: Wish): number | undefined {
  const text = metadata.annotations?.[wish]?.replace(/%$/, '').trim();
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function durationOption({ metadata }: NodePool, wish: Wish): DurationMs | undefined {
  const text = metadata.annotations?.[wish];
  if (text === undefined) return undefined;
  try {
    return nsToDurationMs(parseDuration(text));
  } catch {
    return undefined;
  }
}
