import { randomUUID } from 'node:crypto';
import { controllerNames, schedulerMetrics } from '@karpenter/core/api';
import { type Plan, type PlanOptions, planSteps, type Snapshot } from '@karpenter/core/scheduling';
import { type DurationMs, durationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { runSteps } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';

export interface MeasuredPlan {
  readonly plan: Plan;
  readonly duration: DurationMs;
}

/**
 * Plans until the deadline and shows the progress in the scheduler metrics. The gauges carry the id of the
 * run, and end with it. A plan that reaches the deadline lists the pods that it did not get to as
 * `unevaluated`.
 */
export async function measuredPlan(
  { clock, meters, log }: Pick<ControllerContext, 'clock' | 'meters' | 'log'>,
  snapshot: Snapshot,
  options: PlanOptions,
  { deadline, signal }: { readonly deadline: Instant; readonly signal: AbortSignal },
): Promise<MeasuredPlan> {
  const controller = controllerNames.provisioner;
  const run = { controller, scheduling_id: randomUUID() };
  const started = clock.now();
  const elapsed = () => durationMs(clock.now() - started);
  meters.set(schedulerMetrics.queueDepth, run, snapshot.pods.length);
  const updateElapsed = () => meters.set(schedulerMetrics.unfinishedWork, run, elapsed() / 1000);
  updateElapsed();
  try {
    const plan = await runSteps(planSteps(snapshot, options), {
      clock,
      deadline,
      signal,
      onYield: updateElapsed,
    });
    const duration = elapsed();
    meters.observe(schedulerMetrics.schedulingDuration, { controller }, duration / 1000);
    if (plan.unevaluated.length > 0) {
      log.debug('scheduling simulation timed out', {
        duration: formatDuration(durationMsToNs(duration)),
        'scheduling-id': run.scheduling_id,
      });
    }
    return { plan, duration };
  } finally {
    meters.remove(schedulerMetrics.queueDepth, run);
    meters.remove(schedulerMetrics.unfinishedWork, run);
  }
}
