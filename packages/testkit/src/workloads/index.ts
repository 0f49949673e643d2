/**
 * Large synthetic workloads for benchmarks and for checks of whole plans. Pure builders of snapshots. Start
 * with `workload.ts`; `small-cloud-types.ts` has its instance types.
 */
export { workloads } from './workload.ts';
