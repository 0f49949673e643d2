import { controllerNames, disruptionTuning } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { isConflict } from '@karpenter/kube/client';
import type { Again, Instant, Runnable, Singleton } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { CommandQueue, disruptionQueue } from '../disruption-queue/index.ts';
import { ConsolidationMethod } from './consolidation-method.ts';
import { DriftMethod, StaticDriftMethod } from './drift-method.ts';
import { EmptinessMethod } from './emptiness-method.ts';
import { releaseLeftovers } from './leftovers.ts';
import type { Method, MethodContext } from './method.ts';

export type DisruptionContext = ControllerContext;

/** Looks for nodes to take away or replace, and carries out what it finds. */
export function disruption(context: DisruptionContext): readonly Runnable[] {
  const queue = new CommandQueue();
  return [{ singleton: new DisruptionController({ ...context, queue }) }, disruptionQueue(context, queue)];
}

const atOnce: Again = { requeueAfter: durationMs(0) };

class DisruptionController implements Singleton {
  readonly name = controllerNames.disruption;
  readonly #context: MethodContext;
  /** In the order in which they are tried; the first that does something ends the round. */
  readonly #methods: readonly Method[];
  #last: Instant | undefined;

  constructor(context: MethodContext) {
    this.#context = context;
    this.#methods = [
      new EmptinessMethod(context),
      new StaticDriftMethod(context),
      new DriftMethod(context),
      new ConsolidationMethod(context),
    ];
  }

  async reconcile(signal: AbortSignal): Promise<Again> {
    if (!this.#context.cluster.synced) return { requeueAfter: disruptionTuning.unsyncedRetry };
    this.#watchPace();
    try {
      await releaseLeftovers(this.#context);
      for (const method of this.#methods) if (await method.run(signal)) return atOnce;
    } catch (error) {
      if (isConflict(error)) return atOnce;
      throw error;
    }
    return { requeueAfter: disruptionTuning.poll };
  }

  #watchPace(): void {
    const { clock, log } = this.#context;
    const now = clock.now();
    const since = this.#last === undefined ? 0 : now - this.#last;
    this.#last = now;
    if (since > disruptionTuning.abnormalLoopWarning)
      log.debug('abnormal time between runs', { name: this.name, time_since: `${since / 1000}s` });
  }
}
