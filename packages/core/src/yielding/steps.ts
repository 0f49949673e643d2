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
