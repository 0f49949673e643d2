import { minutes, type NodePool } from '../api/index.ts';
import { nsToDurationMs, parseDuration } from '../values/index.ts';
import { type Command, isPlanned } from './command.ts';

/** Annotations of a NodePool by which its owner asks for more of a replacement than being cheaper. */
export const savingWishes = {
  /** Dollars an hour that a replacement has to save at least. */
  minSavings: 'karpenter-ts/min-savings',
  /** The same as a share of what is given up, such as `5%`. */
  minSavingsPercent: 'karpenter-ts/min-savings-percent',
  /** The longest time until the savings have paid for both nodes running side by side. */
  maxPayback: 'karpenter-ts/max-payback',
} as const;

/** From the launch of a replacement until the node that it replaces is drained: nobody knows beforehand, so long enough. */
const overlap = minutes(5);

/** Whether every pool that loses nodes finds a replacement worth it. Deletions always are. */
export function isWorthwhile(command: Command): boolean {
  if (command.replacements.length === 0) return true;
  const pools = new Set(command.candidates.map(({ nodePool }) => nodePool));
  return [...pools].every((nodePool) => meets(command, nodePool));
}

function meets({ savings, candidates, replacements }: Command, { metadata }: NodePool): boolean {
  const wish = (key: string) => metadata.annotations?.[key];
  const given = candidates.reduce((sum, { price }) => sum + price, 0);
  const spent = replacements.filter(isPlanned).reduce((sum, { price }) => sum + price, 0);
  const payback = savings > 0 ? (overlap * spent) / savings : Number.POSITIVE_INFINITY;
  return (
    savings >= (amount(wish(savingWishes.minSavings)) ?? 0) &&
    savings >= ((amount(wish(savingWishes.minSavingsPercent)?.replace(/%$/, '')) ?? 0) / 100) * given &&
    payback <= (span(wish(savingWishes.maxPayback)) ?? Number.POSITIVE_INFINITY)
  );
}

/** What cannot be read asks for nothing. */
function amount(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function span(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return nsToDurationMs(parseDuration(text));
  } catch {
    return undefined;
  }
}
