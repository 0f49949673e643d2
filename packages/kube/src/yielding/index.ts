/**
 * How long work shares the process: it yields to the event loop after each time slice, so that watches, probes
 * and the lease renewal never wait for the end of a loop over all objects of a cluster (ADR 0032). An `await` of
 * a settled promise is not a yield, because it only queues a microtask. The lengths are in
 * `@karpenter/core/yielding`.
 *
 * | loop | yields through |
 * |---|---|
 * | plans and pending pods by zone, of the provisioner | `runSteps`: stop at the deadline with what is decided |
 * | searches and validations of disruption | `runStepsUntilAborted`: no deadline |
 * | the search of `cost` and `simulate --consolidate` | `runStepsWithin`: nothing after a minute |
 * | lists of objects, nodes, pods, claims and instances | `mapInSlices` |
 * | reconciles of all controllers; launches | `YieldBudget`, which many workers share |
 * | pods that the simulated kube-scheduler binds | `TimeSlice` |
 * | requests of the embedded API server: their stages, and the steps of validation | `YieldBudget`, `TimeSlice` |
 * | parts of a long list of the embedded API server; objects of a ConversionReview | `YieldBudget` |
 * | pieces of a scrape, whose reader sets the pace | `yieldToEventLoop` |
 */

export { mapInSlices } from './map-in-slices.ts';
export { runSteps, runStepsUntilAborted, runStepsWithin } from './run-steps.ts';
export { type SliceClock, TimeSlice, yieldToEventLoop } from './time-slice.ts';
export { YieldBudget } from './yield-budget.ts';
