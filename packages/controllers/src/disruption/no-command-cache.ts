import { consolidationTuning } from '@karpenter/core/api';
import type { Candidate } from '@karpenter/core/disruption';
import type { Round } from './method.ts';

/** Remembers that nothing was found, so that nobody looks again before something has changed. */
export class Memory {
  #seen: { readonly text: string; readonly at: number } | undefined;

  isFresh(round: Round, eligible: readonly Candidate[]): boolean {
    if (this.#seen === undefined) return false;
    const age = round.snapshot.at - this.#seen.at;
    return this.#seen.text === textOf(round, eligible) && age < consolidationTuning.stateRefresh;
  }

  foundNothing(round: Round, eligible: readonly Candidate[]): void {
    this.#seen = { text: textOf(round, eligible), at: round.snapshot.at };
  }
}

/** Time alone may make candidates of nodes and open budgets, without any change of the cluster. */
function textOf({ snapshot, budgets }: Round, eligible: readonly Candidate[]): string {
  const left = [...budgets].map(([name, { remaining }]) => `${name}=${remaining}`);
  return [snapshot.consolidationRevision, ...left, ...eligible.map(({ id }) => id)].join('\n');
}
