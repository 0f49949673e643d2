import { consolidationTuning } from '@karpenter/core/api';
import type { Candidate } from '@karpenter/core/disruption';
import type { MethodInput } from './method.ts';

/**
 * Remembers what was searched last, so that later passes skip the search until something changes: a search of
 * 1,000 nodes takes 1 to 5 CPU seconds. As in Karpenter it expires after five minutes even if nothing
 * changed.
 */
export class SearchCache {
  #entry: { readonly key: string; readonly at: number } | undefined;

  /** Whether the last search was of this input. */
  isFresh(input: MethodInput, eligible: readonly Candidate[]): boolean {
    if (this.#entry === undefined) return false;
    const age = input.snapshot.at - this.#entry.at;
    return this.#entry.key === cacheKey(input, eligible) && age < consolidationTuning.stateRefresh;
  }

  record(input: MethodInput, eligible: readonly Candidate[]): void {
    this.#entry = { key: cacheKey(input, eligible), at: input.snapshot.at };
  }

  /** Forgets the last search, so that the next pass searches again, because a command that it found was rejected. */
  clear(): void {
    this.#entry = undefined;
  }
}

/**
 * The key has candidates and budgets beside the revision: a node becomes consolidatable and a budget's
 * schedule opens by the clock alone, without any change of the cluster.
 */
function cacheKey({ snapshot, budgets }: MethodInput, eligible: readonly Candidate[]): string {
  const left = [...budgets].map(([name, { remaining }]) => `${name}=${remaining}`);
  return [snapshot.consolidationRevision, ...left, ...eligible.map(({ id }) => id)].join('\n');
}
