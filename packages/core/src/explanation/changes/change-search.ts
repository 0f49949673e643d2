import type { ProposedChange } from '../explanation.ts';
import type { ChangeTrial, TriedChange } from './trial.ts';

export interface FoundChanges {
  /** Each makes the pod schedulable, as a plan with it showed; the smallest first. */
  readonly changes: readonly ProposedChange[];
  /** False if the time ran out before everything was tried. */
  readonly isComplete: boolean;
}

/** Further alternatives are not worth reading. */
const maxAlternatives = 4;
/** Pairs are tried where no single change helps and the first set found is larger. */
const maxPairs = 100;

type Helps = (set: readonly TriedChange[]) => boolean;

/**
 * Finds the smallest changes that make the pod of the trial schedulable, and proves each by a plan. First every
 * change alone. If none helps, all together: if not even that helps, nothing does; otherwise changes are taken back,
 * the largest first, as long as the pod stays schedulable.
 */
export function findChanges(
  trial: ChangeTrial,
  candidates: readonly TriedChange[],
  isOverdue: () => boolean,
): FoundChanges {
  const sorted = candidates.toSorted((a, b) => a.change.size - b.change.size);
  const strict = new ChangeSearch((set) => trial.isPlaced(set), isOverdue);
  const placed = strict.find(sorted);
  // To wait for a capacity reservation is the second best answer.
  const lenient = new ChangeSearch((set) => trial.isPlacedOrDeferred(set), isOverdue);
  const found = placed.length > 0 ? placed : lenient.findDeferred(sorted, trial);
  const isComplete = !strict.hasStopped && !lenient.hasStopped;
  return { changes: found.map((set) => proposal(trial, set)), isComplete };
}

class ChangeSearch {
  readonly #helps: Helps;
  readonly #isOverdue: () => boolean;
  #hasStopped = false;

  constructor(helps: Helps, isOverdue: () => boolean) {
    this.#helps = helps;
    this.#isOverdue = isOverdue;
  }

  find(candidates: readonly TriedChange[]): readonly TriedChange[][] {
    const sets = this.#singles(candidates);
    return sets.length > 0 ? sets : this.#together(candidates);
  }

  /** Nothing unless all changes together defer the pod. */
  findDeferred(candidates: readonly TriedChange[], trial: ChangeTrial): readonly TriedChange[][] {
    if (this.#stops() || trial.outcome(candidates).kind !== 'deferred') return [];
    return this.find(candidates);
  }

  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  #singles(candidates: readonly TriedChange[]): readonly TriedChange[][] {
    const found: TriedChange[] = [];
    for (const candidate of candidates) {
      if (found.length === maxAlternatives || this.#stops()) break;
      if (this.#helps([candidate])) found.push(this.#reduced([candidate], 0));
    }
    return found.toSorted((a, b) => a.change.size - b.change.size).map((change) => [change]);
  }

  #together(candidates: readonly TriedChange[]): readonly TriedChange[][] {
    if (this.#stops() || !this.#helps(candidates)) return [];
    const minimal = this.#withoutNeedless(candidates);
    const pair = minimal.length > 2 ? this.#pair(candidates) : undefined;
    return [this.#gentle(pair ?? minimal)];
  }

  /** Leaves out every change that is not needed, the largest first. */
  #withoutNeedless(candidates: readonly TriedChange[]): readonly TriedChange[] {
    let kept = candidates;
    for (const candidate of candidates.toReversed()) {
      if (this.#stops()) break;
      const fewer = kept.filter((each) => each !== candidate);
      if (this.#helps(fewer)) kept = fewer;
    }
    return kept;
  }

  #pair(candidates: readonly TriedChange[]): readonly TriedChange[] | undefined {
    const pairs = candidates.flatMap((first, index) =>
      candidates.slice(index + 1).map((second) => [first, second] as const),
    );
    const bySize = pairs.toSorted((a, b) => sizeOf(a) - sizeOf(b)).slice(0, maxPairs);
    return bySize.find((pair) => !this.#stops() && this.#helps(pair));
  }

  #gentle(set: readonly TriedChange[]): TriedChange[] {
    let gentle = [...set];
    for (let index = 0; index < gentle.length; index++)
      gentle = gentle.with(index, this.#reduced(gentle, index));
    return gentle;
  }

  /** The change at the index, by the smallest amount with which the set still helps. */
  #reduced(set: readonly TriedChange[], index: number): TriedChange {
    const full = set[index] as TriedChange;
    const { steps = 0, hints = [] } = full.change.gentler ?? {};
    const isEnough = (step: number) => this.#helps(set.with(index, atStep(full, step)));
    let [low, high] = this.#hinted(hints, steps, isEnough);
    // A hint is mostly exact: then one step further is too little.
    if (low > 0 && high - low > 1 && !isEnough(low + 1)) high = low + 1;
    while (high - low > 1 && !this.#stops()) {
      const middle = Math.floor((low + high) / 2);
      if (isEnough(middle)) low = middle;
      else high = middle;
    }
    return atStep(full, low);
  }

  /** The first hint that is enough and the last that is not. */
  #hinted(
    hints: readonly number[],
    steps: number,
    isEnough: (step: number) => boolean,
  ): [low: number, high: number] {
    let high = steps;
    for (const hint of hints) {
      if (hint <= 0 || hint >= high || this.#stops()) continue;
      if (isEnough(hint)) return [hint, high];
      high = hint;
    }
    return [0, high];
  }

  #stops(): boolean {
    this.#hasStopped ||= this.#isOverdue();
    return this.#hasStopped;
  }
}

function atStep(tried: TriedChange, step: number): TriedChange {
  if (tried.on === 'pod') {
    const { gentler } = tried.change;
    return gentler === undefined ? tried : { on: 'pod', change: { ...gentler.at(step), gentler } };
  }
  const { gentler } = tried.change;
  return gentler === undefined ? tried : { on: 'pool', change: { ...gentler.at(step), gentler } };
}

function sizeOf(set: readonly TriedChange[]): number {
  return set.reduce((sum, { change }) => sum + change.size, 0);
}

function proposal(trial: ChangeTrial, set: readonly TriedChange[]): ProposedChange {
  const [first, ...together] = trial.proposals(set);
  return { ...(first as ProposedChange), ...(together.length > 0 && { together }) };
}
