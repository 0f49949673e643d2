import type { NodePool } from '../api/index.ts';
import { parseDuration } from '../values/index.ts';
import type { Command } from './command.ts';

/** Annotations of a NodePool by which its owner asks for more than Karpenter's rules; none is set by default. */
export const disruptionWishes = {
  /** Dollars an hour that a replacement has to save at least. */
  minSavings: 'disruption.karpenter-ts.dev/min-savings',
  /** The same as a share of what the nodes cost that it gives up, such as `5%`. */
  minSavingsPercent: 'disruption.karpenter-ts.dev/min-savings-percent',
  /** A replacement has to earn back within this time what both nodes cost while they run side by side. */
  maxPayback: 'disruption.karpenter-ts.dev/max-payback',
} as const;
