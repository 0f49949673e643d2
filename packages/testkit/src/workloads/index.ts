/** Large synthetic workloads for benchmarks and for checks of whole plans. */
export { type Workload, workloads } from './workload.ts';
