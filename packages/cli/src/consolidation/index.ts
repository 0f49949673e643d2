// What consolidation would do on a listed cluster, found by the search of the controllers with budgets
// lifted. `cost` sums up its savings, `simulate --consolidate` shows its commands. Reads a snapshot and
// changes nothing. Start reading at `consolidation-search.ts`.

export { consolidationSearch, type FoundConsolidation, type SearchClock } from './consolidation-search.ts';
