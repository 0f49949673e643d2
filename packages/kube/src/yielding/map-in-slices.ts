import { type SliceClock, TimeSlice } from './time-slice.ts';

/**
 * As `items.map(work)`, and yields to the event loop between two items when a time slice is over. The first slice
 * starts without a yield. `work` must not return promises that may reject: a rejection during a yield would be
 * unhandled. Use a `YieldBudget` there.
 */
export async function mapInSlices<Item, Made>(
  items: readonly Item[],
  work: (item: Item) => Made,
  clock: SliceClock,
): Promise<Made[]> {
  const slice = new TimeSlice(clock);
  const made: Made[] = [];
  for (const item of items) {
    if (slice.isOver) await slice.renew();
    made.push(slice.run(() => work(item)));
  }
  return made;
}
