/**
 * The controller `metrics.pod`: the state gauge of every pod, and how long pods wait to be scheduled and
 * started. It writes metrics only. Start with `pod-metrics.ts`.
 */
export { podStateGauges } from './pod-metrics.ts';
