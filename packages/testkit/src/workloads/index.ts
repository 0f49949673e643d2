/** Large synthetic workloads for benchmarks and for checks of whole plans. */
export { workloads } from './workload.ts';
