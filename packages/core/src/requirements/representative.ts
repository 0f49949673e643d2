import { maxInt64, minInt64 } from './int64.ts';
import type { Requirement } from './requirement.ts';

/**
 * One value that satisfies the requirement, deterministic: the first of a finite set (the empty value last),
 * otherwise the smallest allowed integer within [gte or 0, lte or maxInt64]. Empty if there is none.
 * Karpenter picks a random one, so that two runs with the same input differ.
 */
export function representative(requirement: Requirement): string {
  if (!requirement.complement) return requirement.values().find((value) => value !== '') ?? '';
  const { gte, lte } = requirement;
  const onlyNegative = gte === undefined && lte !== undefined && lte < 0n;
  if (onlyNegative) return firstAllowed(requirement, lte, -1n);
  return firstAllowed(requirement, gte ?? 0n, 1n);
}

/** Terminates: each step is allowed, out of bounds, or one of finitely many excluded values. */
function firstAllowed(requirement: Requirement, from: bigint, step: bigint): string {
  const { gte = minInt64, lte = maxInt64 } = requirement;
  for (let integer = from; integer >= gte && integer <= lte; integer += step) {
    if (requirement.has(String(integer))) return String(integer);
  }
  return '';
}
