import { minutes, type NodePool } from '../api/index.ts';
import { type Command, isPlanned } from './command.ts';
import { durationOption, numberOption, poolOptions } from './pool-options.ts';

/** From the launch of a replacement until the node that it replaces is drained: nobody knows beforehand, so long enough. */
const overlap = minutes(5);

/** Whether every pool that loses nodes finds a replacement worth it. Deletions always are. */
export function isWorthwhile(command: Command): boolean {
  if (command.replacements.length === 0) return true;
  const pools = new Set(command.candidates.map(({ nodePool }) => nodePool));
  return [...pools].every((nodePool) => meets(command, nodePool));
}

function meets({ savings, candidates, replacements }: Command, nodePool: NodePool): boolean {
  const given = candidates.reduce((sum, { price }) => sum + price, 0);
  const spent = replacements.filter(isPlanned).reduce((sum, { price }) => sum + price, 0);
  const payback = savings > 0 ? (overlap * spent) / savings : Number.POSITIVE_INFINITY;
  return (
    savings >= (numberOption(nodePool, poolOptions.minSavings) ?? 0) &&
    savings >= ((numberOption(nodePool, poolOptions.minSavingsPercent) ?? 0) / 100) * given &&
    payback <= (durationOption(nodePool, poolOptions.maxPayback) ?? Number.POSITIVE_INFINITY)
  );
}
