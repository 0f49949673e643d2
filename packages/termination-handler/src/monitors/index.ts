/**
 * The four monitors: each parses one document of the instance metadata service into termination events.
 * Parsing is pure; `monitor-loop.ts` polls through `../imds`. Start with `monitor.ts`.
 */

export { asgLifecycleMonitor } from './asg-lifecycle.ts';
export type { Monitor } from './monitor.ts';
export { runMonitor } from './monitor-loop.ts';
export { rebalanceMonitor } from './rebalance-recommendation.ts';
export { scheduledEventMonitor } from './scheduled-events.ts';
export { spotInterruptionMonitor } from './spot-interruption.ts';
