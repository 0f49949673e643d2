/** The controller `metrics.node`: gauges of every node and of the cluster state. */
export { nodeStateGauges } from './node-metrics.ts';
