import { yieldTuning } from './yield-tuning.ts';

/** The caller's answer between two steps: nothing to continue, or to stop and return what is decided so far. */
export type StepSignal = 'stop' | undefined;

/** Work in steps. Between two of them the caller may do other work, signal to stop, or never call again. */
export type Steps<T> = Generator<void, T, StepSignal>;

/** How long an item takes: about a microsecond, some ten microseconds, or longer. */
type ItemWeight = 'light' | 'medium' | 'heavy';

/**
 * As `items.map(make)` in steps: one per item, because the caller measures time and can only yield between two
 * steps; or one per ten `medium` or hundred `light` items, because a step itself takes a microsecond or more.
 * Ignores the signal, since half of a list is of no use.
 */
export function* inSteps<Item, Made>(
  items: readonly Item[],
  make: (item: Item, index: number) => Made,
  weight: ItemWeight = 'heavy',
): Steps<Made[]> {
  const made: Made[] = [];
  let index = 0;
  for (const item of items) {
    made.push(make(item, index));
    if (endsStep(index++, weight)) yield;
  }
  return made;
}

/** Whether a step ends after the item at this index. For loops over indexes, which have no list. */
export function endsStep(index: number, weight: ItemWeight = 'light'): boolean {
  return weight === 'heavy' || (index + 1) % itemsPerStep[weight] === 0;
}

const itemsPerStep = { light: yieldTuning.lightItemsPerStep, medium: yieldTuning.mediumItemsPerStep };

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
