import { controllerNames, provisioningTuning, seconds } from '@karpenter/core/api';
import { BarrenPoolSearch } from '@karpenter/core/provisioning';
import { isVirtualPod, type Plan } from '@karpenter/core/scheduling';
import { durationMs } from '@karpenter/core/values';
import type { Again, Instant, Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { planOptions } from '../planning/index.ts';
import type { Batcher } from './batcher.ts';
import { measuredPlan } from './measured-plan.ts';
import { PassReport, wantsDevices } from './pass-report.ts';
import { carryOut, type PassContext } from './provisioning-pass.ts';

export type ProvisionerContext = PassContext & Pick<ControllerContext, 'planning'>;

/** NodeClaims for the first pods leave after this time, whatever else is still to be planned for. */
const firstClaimsAfter = seconds(1);
const patienceFactor = 4;
const atOnce: Again = { requeueAfter: durationMs(0) };

/** Makes nodes for pods that wait: collects them, plans, creates NodeClaims, over and over. */
export function provisioner(
  context: ProvisionerContext,
  batcher: Pick<Batcher, 'wait' | 'trigger'>,
): Runnable {
  const passes = new Provisioner(context);
  return {
    singleton: {
      name: controllerNames.provisioner,
      reconcile: async (signal) => {
        if (!(await batcher.wait(signal))) return undefined;
        if (context.cluster.synced) await passes.pass(signal);
        for (const uid of passes.unevaluated) batcher.trigger(uid);
        return atOnce;
      },
    },
  };
}

/** How far a round may go. */
interface Bounds {
  readonly deadline: Instant;
  readonly signal: AbortSignal;
}

class Provisioner {
  readonly #context: ProvisionerContext;
  readonly #report: PassReport;
  readonly #barren = new BarrenPoolSearch();
  /** Pods that the last pass did not get to; they go first. */
  unevaluated: ReadonlySet<string> = new Set();

  constructor(context: ProvisionerContext) {
    this.#context = context;
    this.#report = new PassReport(context);
  }

  /**
   * Plans for all that waits, in rounds: the first is short, so that its NodeClaims leave soon; what it does not get
   * to is planned for in the next.
   */
  async pass(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    const end = clock.now() + provisioningTuning.solveDeadline;
    let patience: number = firstClaimsAfter;
    for (let isOver = false; !isOver; patience *= patienceFactor) {
      const plan = await this.#round({ deadline: Math.min(end, clock.now() + patience), signal });
      this.unevaluated = new Set(plan?.unevaluated ?? []);
      isOver = this.unevaluated.size === 0 || signal.aborted || clock.now() >= end;
    }
  }

  async #round({ deadline, signal }: Bounds): Promise<Plan | undefined> {
    const { planning, settings, vocabulary, log } = this.#context;
    if (!this.#isNeeded()) return undefined;
    const cluster = await planning.snapshot();
    const input = planning.input(cluster);
    const { nodePools, instanceTypes, pods } = input.snapshot;
    const real = pods.filter((pod) => !isVirtualPod(pod));
    const wanting = input.ignored.filter(wantsDevices).length;
    this.#report.ignored(input.ignored);
    this.#report.poolsSkipped(input, planning.typeFailures);
    if (pods.length === 0) {
      this.#report.unschedulable(wanting);
      this.#context.cluster.learn({ type: 'bufferPodsPlaced', byNode: new Map() });
      return undefined;
    }
    if (nodePools.length === 0) {
      log.info('no dynamic nodepools found');
      this.#report.judged(real.map(({ metadata }) => ({ uid: metadata.uid })));
      return undefined;
    }
    const { policy } = vocabulary;
    const { minValuesPolicy } = settings;
    this.#report.poolsBarren(this.#barren.among({ nodePools, instanceTypes, policy, minValuesPolicy }));
    log.debug('computing scheduling decision for provisionable pod(s)', {
      'pending-pods': cluster.pendingPods.length,
      'deleting-pods': cluster.movingPods.length,
    });
    const options = { ...planOptions(this.#context, 'strict'), first: this.unevaluated };
    const { plan, duration } = await measuredPlan(this.#context, input.snapshot, options, {
      deadline,
      signal,
    });
    const uids = new Set(real.map(({ metadata }) => metadata.uid));
    this.#report.unschedulable(wanting + plan.rejections.filter(({ pod }) => uids.has(pod)).length);
    this.#report.planned(plan, real, duration);
    await carryOut(this.#context, this.#report, { cluster, input }, plan);
    return plan;
  }

  /** Nobody asks the cloud for anything while no pod waits. */
  #isNeeded(): boolean {
    const { cluster, settings } = this.#context;
    if (settings.featureGates.CapacityBuffer || cluster.snapshot().pods.length > 0) return true;
    this.#report.ignored([]);
    this.#report.unschedulable(0);
    return false;
  }
}
