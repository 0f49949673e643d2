export { type Workload, workloads } from './workload.ts';
