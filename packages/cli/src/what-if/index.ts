// `karpenter simulate` without files: reads a live cluster once, applies what-if changes to the copy (`--add`,
// `--set`, `--remove-node`) and plans it the way files are planned; `--consolidate` runs the controllers' search on it.
// It sends no write. Start reading at `live-simulation.ts`; `live-output.ts` has the parts of the output that only a
// live cluster has. `cost` lists and plans a live cluster through `live-objects.ts` and `live-plan.ts` too.

export { answeredQuestion } from './answered-question.ts';
export { liveInstanceTypes } from './live-instance-types.ts';
export { liveObjects } from './live-objects.ts';
export { liveWriters } from './live-output.ts';
export { liveConsolidation, livePlan } from './live-plan.ts';
export { type LiveFacts, liveSimulation } from './live-simulation.ts';
export { ObjectLists } from './object-lists.ts';
export { priceDocument } from './price-output.ts';
