import type { Candidate } from './candidate.ts';

/** Candidates by the name of their NodePool, in the order in which pools first come. */
export function byNodePool(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Candidate[]> {
  return grouped(candidates, ({ nodePool }) => nodePool.metadata.name);
}

/** Candidates in groups of the same zone. */
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

/** The best of each pool, then the second best: no pool waits for all of another. */
export function interleaved(candidates: readonly Candidate[]): readonly Candidate[] {
  const queues = [...byNodePool(candidates).values()];
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat();
}
