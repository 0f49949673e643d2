import type { Candidate } from '../candidates/candidate.ts';

/** Candidates by NodePool name, in the order in which pools first appear. */
export function byNodePool(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Candidate[]> {
  return grouped(candidates, ({ nodePool }) => nodePool.metadata.name);
}

/** Candidates grouped by zone. */
export function byZone(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  return [...grouped(candidates, ({ state }) => state.offering.zone ?? '').values()];
}

function grouped(
  candidates: readonly Candidate[],
  keyOf: (candidate: Candidate) => string,
): ReadonlyMap<string, readonly Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = keyOf(candidate);
    const others = groups.get(key);
    if (others === undefined) groups.set(key, [candidate]);
    else others.push(candidate);
  }
  return groups;
}

/**
 * Takes the best candidate of each pool, then the second best of each, as Karpenter's single-node consolidation does,
 * so that no pool has to wait for another.
 */
export function interleaved(candidates: readonly Candidate[]): readonly Candidate[] {
  const queues = [...byNodePool(candidates).values()];
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, rank) => queues.flatMap((queue) => queue[rank] ?? [])).flat();
}
