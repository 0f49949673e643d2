import { randomUUID } from 'node:crypto';
import { controllerNames, schedulerMetrics } from '@karpenter/core/api';
import { isUpcomingPod, type Plan, type PlanOptions, type Snapshot } from '@karpenter/core/scheduling';
import { planWithUpcomingSteps } from '@karpenter/core/upcoming-pods';
import { type DurationMs, durationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';
import { runSteps } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';

export interface MeasuredPlan {
  readonly plan: Plan;
  readonly duration: DurationMs;
}

type PlannerContext = Pick<ControllerContext, 'clock' | 'meters' | 'log'>;
type RunLabels = Readonly<Record<'controller' | 'scheduling_id', string>>;

const controller = controllerNames.provisioner;

/**
 * Plans until a deadline and updates the scheduler metrics, which have the id of the run as a label. As in Karpenter
 * the queue depth of a run stays until the next run: a plan usually ends before the next scrape, which then sees how
 * many pods it left without a place.
 */
export class MeasuredPlanner {
  readonly #context: PlannerContext;
  #lastRun: RunLabels | undefined;

  constructor(context: PlannerContext) {
    this.#context = context;
  }

  /** A plan that reaches the deadline lists the pods that it did not get to as `unevaluated`. */
  async plan(
    snapshot: Snapshot,
    options: PlanOptions,
    limits: { readonly deadline: Instant; readonly signal: AbortSignal },
  ): Promise<MeasuredPlan> {
    const { clock, meters } = this.#context;
    const run = this.#begin(snapshot.pods.filter((pod) => !isUpcomingPod(pod)).length);
    const started = clock.now();
    const elapsed = () => durationMs(clock.now() - started);
    const updateElapsed = () => meters.set(schedulerMetrics.unfinishedWork, run, elapsed() / 1000);
    updateElapsed();
    try {
      const steps = planWithUpcomingSteps(snapshot, options);
      const plan = await runSteps(steps, { ...limits, clock, onYield: updateElapsed });
      this.#end(run, plan, elapsed());
      return { plan, duration: elapsed() };
    } finally {
      meters.remove(schedulerMetrics.unfinishedWork, run);
    }
  }

  /** Sets the queue depth to zero when there is nothing to plan. */
  idle(): void {
    if (this.#lastRun !== undefined) this.#context.meters.set(schedulerMetrics.queueDepth, this.#lastRun, 0);
  }

  #begin(pods: number): RunLabels {
    const { meters } = this.#context;
    if (this.#lastRun !== undefined) meters.remove(schedulerMetrics.queueDepth, this.#lastRun);
    const run = { controller, scheduling_id: randomUUID() };
    this.#lastRun = run;
    meters.set(schedulerMetrics.queueDepth, run, pods);
    return run;
  }

  #end(run: RunLabels, { rejections, deferred, unevaluated }: Plan, duration: DurationMs): void {
    const { meters, log } = this.#context;
    const waiting = rejections.length + deferred.length + unevaluated.length;
    meters.set(schedulerMetrics.queueDepth, run, waiting);
    meters.observe(schedulerMetrics.schedulingDuration, { controller }, duration / 1000);
    if (unevaluated.length === 0) return;
    log.debug('scheduling simulation timed out', {
      duration: formatDuration(durationMsToNs(duration)),
      'scheduling-id': run.scheduling_id,
    });
  }
}
