/**
 * The controller `metrics.node`: gauges of every node and of the cluster state. It reads snapshots and writes
 * metrics only. Start with `node-metrics.ts`; `node-readings.ts` computes the values.
 */
export { nodeStateGauges } from './node-metrics.ts';
