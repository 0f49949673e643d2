/** How long work may run before it yields to the event loop. */
export const yieldTuning = {
  /**
   * Milliseconds of work between two yields. Watches, probes and the lease renewal wait at least this long for
   * each loop that runs, and a yield costs some microseconds.
   */
  sliceMs: 5,
  /**
   * Reconciles between two yields, however short they are. Controllers may requeue their keys without end, and on
   * the virtual clock of a test no reconcile takes any time.
   */
  reconcilesPerSlice: 25,
  /** Items between two steps where an item takes about a microsecond, which is what a step itself costs. */
  lightItemsPerStep: 100,
  /** As `lightItemsPerStep`, where an item takes some ten microseconds. */
  mediumItemsPerStep: 10,
} as const;
