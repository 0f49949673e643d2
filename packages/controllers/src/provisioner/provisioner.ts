import { controllerNames, provisioningTuning, seconds } from '@karpenter/core/api';
import {
  IncompatiblePoolSearch,
  lastChoicesInput,
  type PlanInput,
  podsForLastChoices,
} from '@karpenter/core/provisioning';
import { isVirtualPod, type Plan, type PodView, type Snapshot } from '@karpenter/core/scheduling';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Instant, ReconcileResult, Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { planOptions } from '../planning/index.ts';
import type { Batcher } from './batcher.ts';
import { ConsolidationWarnings } from './consolidation-warnings.ts';
import { judgeAhead } from './judge-ahead.ts';
import { measuredPlan } from './measured-plan.ts';
import { PassReport, wantsDevices } from './pass-report.ts';
import {
  carryOut,
  type PassContext,
  type PassInput,
  renewExpected,
  settleBuffers,
} from './provisioning-pass.ts';
import { SyncWait } from './sync-wait.ts';
import { ZoneGauges } from './zone-gauges.ts';

export type ProvisionerContext = PassContext & Pick<ControllerContext, 'planning'>;

/** NodeClaims for the first pods leave after this time, whatever else is still to be planned for. */
const firstClaimsAfter = seconds(1);
const patienceFactor = 4;
const atOnce: ReconcileResult = { requeueAfter: durationMs(0) };

/** Makes nodes for pods that wait: collects them, plans, creates NodeClaims, over and over. */
export function provisioner(
  context: ProvisionerContext,
  batcher: Pick<Batcher, 'wait' | 'trigger'>,
): Runnable {
  const passes = new Provisioner(context);
  const sync = new SyncWait(context);
  return {
    singleton: {
      name: controllerNames.provisioner,
      reconcile: async (signal) => {
        if (!(await batcher.wait(signal))) return undefined;
        if (sync.isOver()) await passes.pass(signal);
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
  readonly #barren = new IncompatiblePoolSearch();
  readonly #zones: ZoneGauges;
  readonly #warnings: ConsolidationWarnings;
  /** Pods that the last pass did not get to; they go first. */
  unevaluated: ReadonlySet<string> = new Set();
  /** Pods that nothing but doubtful offerings may be left for. */
  #lastChoosers: ReadonlySet<string> = new Set();

  constructor(context: ProvisionerContext) {
    this.#context = context;
    this.#report = new PassReport(context);
    this.#zones = new ZoneGauges(context);
    this.#warnings = new ConsolidationWarnings(context);
  }

  /**
   * Plans for all that waits, in rounds: the first is short, so that its NodeClaims leave soon; what it does not get
   * to is planned for in the next. When all others have their NodeClaims, those who found nothing try what is doubted.
   */
  async pass(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    renewExpected(this.#context, this.#report);
    const end = clock.now() + provisioningTuning.solveDeadline;
    let patience: number = firstClaimsAfter;
    for (let isOver = false; !isOver; patience *= patienceFactor) {
      const plan = await this.#round({ deadline: Math.min(end, clock.now() + patience), signal });
      this.unevaluated = new Set(plan?.unevaluated ?? []);
      isOver = this.unevaluated.size === 0 || signal.aborted || clock.now() >= end;
    }
    const isComplete = this.unevaluated.size === 0 && !signal.aborted;
    if (isComplete && this.#lastChoosers.size > 0) await this.#lastRound({ deadline: end, signal });
  }

  async #round(bounds: Bounds): Promise<Plan | undefined> {
    const { planning, vocabulary } = this.#context;
    this.#lastChoosers = new Set();
    if (!this.#isNeeded()) return undefined;
    await judgeAhead(this.#context.cluster.snapshot().pendingPods, vocabulary.policy);
    const cluster = await planning.snapshot();
    const input = planning.input(cluster);
    this.#report.ignored(input.ignored);
    this.#warnings.tell(cluster.pendingPods);
    this.#report.poolsSkipped(input, planning.typeFailures);
    if (input.snapshot.pods.length === 0) this.#nothingToPlan(input);
    else if (input.snapshot.nodePools.length === 0) this.#nothingToPlanWith(input);
    else return this.#plan({ cluster, input }, bounds);
    return undefined;
  }

  #nothingToPlan({ ignored }: PlanInput): void {
    this.#report.unschedulable(ignored.filter(wantsDevices).length);
    this.#zones.clear();
    this.#context.cluster.learn({ type: 'bufferPodsPlaced', byNode: new Map() });
  }

  #nothingToPlanWith({ snapshot }: PlanInput): void {
    this.#context.log.info('no dynamic nodepools found');
    this.#report.judged(realPods(snapshot).map(({ metadata }) => ({ uid: metadata.uid })));
  }

  async #plan({ cluster, input }: PassInput, bounds: Bounds): Promise<Plan> {
    const { settings, vocabulary, log } = this.#context;
    const { snapshot } = input;
    const { minValuesPolicy } = settings;
    this.#report.poolsIncompatible(
      this.#barren.among({ ...snapshot, policy: vocabulary.policy, minValuesPolicy }),
    );
    log.debug('computing scheduling decision for provisionable pod(s)', {
      'pending-pods': cluster.pendingPods.length,
      'deleting-pods': cluster.movingPods.length,
    });
    const options = { ...planOptions(this.#context, 'strict'), first: this.unevaluated };
    const { plan, duration } = await measuredPlan(this.#context, snapshot, options, bounds);
    this.#lastChoosers = podsForLastChoices(snapshot, plan);
    const settled = withoutRejections(plan, this.#lastChoosers);
    this.#reportPlan(input, settled, duration);
    await carryOut(this.#context, this.#report, { cluster, input }, settled);
    if (plan.unevaluated.length === 0) {
      await settleBuffers(this.#context, { cluster, input }, plan);
      await this.#zones.show(snapshot, options);
    }
    return plan;
  }

  /** For pods that the rounds before found nothing for, with what those have left. */
  async #lastRound(bounds: Bounds): Promise<void> {
    const { planning } = this.#context;
    const cluster = await planning.snapshot();
    const input = lastChoicesInput(planning.input(cluster), this.#lastChoosers);
    if (input.snapshot.pods.length === 0) return;
    const options = planOptions(this.#context, 'strict');
    const { plan, duration } = await measuredPlan(this.#context, input.snapshot, options, bounds);
    this.#reportPlan(input, plan, duration);
    await carryOut(this.#context, this.#report, { cluster, input }, plan);
    this.unevaluated = new Set(plan.unevaluated);
  }

  #reportPlan({ snapshot, ignored }: PlanInput, plan: Plan, duration: DurationMs): void {
    const pods = realPods(snapshot);
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    const rejected = plan.rejections.filter(({ pod }) => uids.has(pod));
    this.#report.unschedulable(ignored.filter(wantsDevices).length + rejected.length);
    this.#report.planned(plan, pods, duration);
  }

  /** Nobody asks the cloud for anything while no pod waits. */
  #isNeeded(): boolean {
    const { cluster, settings } = this.#context;
    if (settings.featureGates.CapacityBuffer || cluster.snapshot().pods.length > 0) return true;
    this.#report.ignored([]);
    this.#report.unschedulable(0);
    this.#zones.clear();
    return false;
  }
}

function realPods({ pods }: Pick<Snapshot, 'pods'>): readonly PodView[] {
  return pods.filter((pod) => !isVirtualPod(pod));
}

/** Nobody is told yet that there is no place for those who are still to be planned for. */
function withoutRejections(plan: Plan, pods: ReadonlySet<string>): Plan {
  return pods.size === 0
    ? plan
    : { ...plan, rejections: plan.rejections.filter(({ pod }) => !pods.has(pod)) };
}
