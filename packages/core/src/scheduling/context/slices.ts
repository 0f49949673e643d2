import type { PlanSignal } from '../plan-result.ts';

/** As `list.map(make)`, with a pause after so many items. What was begun is finished whatever the signal. */
export function* inSlices<Item, Made>(
  list: readonly Item[],
  pause: number,
  make: (item: Item, index: number) => Made,
): Generator<void, Made[], PlanSignal> {
  const made: Made[] = [];
  for (const [index, item] of list.entries()) {
    made.push(make(item, index));
    if ((index + 1) % pause === 0) yield;
  }
  return made;
}
