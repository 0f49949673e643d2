/**
 * The controller `metrics.pod`: the state gauge of every pod, and how long pods wait to be scheduled and
 * started.
 */
export { podStateGauges } from './pod-metrics.ts';
