/**
 * How long work shares the process: it yields to the event loop after each time slice, so that watches,
 * probes and the lease renewal never wait for the end of a loop over all objects of a cluster (ADR 0032). An
 * `await` of a settled promise is not a yield, because it only queues a microtask. Touches the event loop and
 * the clock that callers pass; the lengths are in `@karpenter/core/yielding`. Start with `time-slice.ts`,
 * whose head lists which loop yields through what.
 */

export { mapInSlices } from './map-in-slices.ts';
export { runSteps, runStepsUntilAborted, runStepsWithin } from './run-steps.ts';
export { type SliceClock, TimeSlice, yieldToEventLoop } from './time-slice.ts';
export { YieldBudget } from './yield-budget.ts';
