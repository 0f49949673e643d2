import { controllerNames, schedulerMetrics } from '@karpenter/core/api';
import { effectiveZoneSteps, type PlanOptions, type Snapshot } from '@karpenter/core/scheduling';
import { runSteps } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';
import { GaugeSet } from '../gauges/index.ts';

/**
 * Publishes the number of pending pods by effective zone, as Karpenter does: the only zone they can run in, `flexible`
 * for several, or `none`.
 */
export class ZoneGauges {
  readonly #context: Pick<ControllerContext, 'clock' | 'meters'>;
  readonly #gauges: GaugeSet;

  constructor(context: Pick<ControllerContext, 'clock' | 'meters'>) {
    this.#context = context;
    this.#gauges = new GaugeSet(context.meters);
  }

  /**
   * Sets the gauges from the snapshot of a plan, which does not show the NodeClaims that the plan creates.
   */
  async show(snapshot: Snapshot, options: PlanOptions): Promise<void> {
    const { clock } = this.#context;
    const controller = controllerNames.provisioner;
    const pods = snapshot.pods.filter(({ status }) => status?.phase === 'Pending');
    const steps = effectiveZoneSteps({ ...snapshot, pods }, options);
    const counts = await runSteps(steps, { clock });
    this.#gauges.show(
      controller,
      Array.from(counts, ([zone, value]) => ({
        gauge: schedulerMetrics.pendingPodsByEffectiveZone,
        labels: { controller, zone },
        value,
      })),
    );
  }

  clear(): void {
    this.#gauges.forget(controllerNames.provisioner);
  }
}
