import type { Candidate } from './candidate.ts';

/** Candidates by the name of their NodePool, in the order in which pools first come. */
export function byNodePool(candidates: readonly Candidate[]): ReadonlyMap<string, readonly Candidate[]> {
  const byPool = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { name } = candidate.nodePool.metadata;
    const others = byPool.get(name);
    if (others === undefined) byPool.set(name, [candidate]);
    else others.push(candidate);
  }
  return byPool;
}

/** The best of each pool, then the second best: no pool waits for all of another. */
export function interleaved(candidates: readonly Candidate[]): readonly Candidate[] {
  const queues = [...byNodePool(candidates).values()];
  const longest = Math.max(0, ...queues.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat();
}
