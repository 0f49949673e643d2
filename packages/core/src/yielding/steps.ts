import { yieldTuning } from './yield-tuning.ts';

/** The caller's answer between two steps: nothing to continue, or to stop and return what is decided so far. */
export type StepSignal = 'stop' | undefined;

/** Work in steps. Between two of them the caller may do other work, signal to stop, or never call again. */
export type Steps<T> = Generator<void, T, StepSignal>;

/**
 * As `items.map(make)` in steps: one per item, because the caller measures time and can only yield between two
 * steps; or one per hundred `light` items, which take a microsecond each. Ignores the signal, since half of a list
 * is of no use.
 */
export function* inSteps<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
  weight: 'light' | 'heavy' = 'heavy',
): Steps<Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    made.push(make(item, index));
    if (weight === 'heavy' || endsStep(index)) yield;
  }
  return made;
}

/** Whether a step ends after the light item at this index. For loops over indexes, which have no list. */
export function endsStep(index: number): boolean {
  return (index + 1) % yieldTuning.lightItemsPerStep === 0;
}

/**
 * Says when a step ends in a walk over a tree, which has no index: after work that is worth a hundred light items.
 */
export class StepCounter {
  #items = 0;

  /** Counts work, in light items. */
  spend(items = 1): void {
    this.#items += items;
  }

  /** Whether a step ends here. Starts over when it does. */
  endsStep(): boolean {
    if (this.#items < yieldTuning.lightItemsPerStep) return false;
    this.#items = 0;
    return true;
  }
}

/** Runs steps to their end at once, for callers that block nobody else. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
