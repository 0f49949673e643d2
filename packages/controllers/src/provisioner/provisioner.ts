import { controllerNames, provisioningTuning, seconds } from '@karpenter/core/api';
import {
  IncompatiblePoolSearch,
  lastChoicesInput,
  type PlanInput,
  podsForLastChoices,
  withoutLastChoices,
} from '@karpenter/core/provisioning';
import type { CapturedCluster } from '@karpenter/core/saved-cluster';
import { isVirtualPod, type Plan, type PodView, type Snapshot } from '@karpenter/core/scheduling';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { Instant, ReconcileResult, Runnable } from '@karpenter/kube/runtime';
import { yieldToEventLoop } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';
import { planOptions } from '../planning/index.ts';
import { assignArrivedPods } from './arrived-pods.ts';
import type { ProvisioningBatcher } from './batcher.ts';
import { ConsolidationWarnings } from './consolidation-warnings.ts';
import { MeasuredPlanner } from './measured-planner.ts';
import { isIgnoredForDevices, PassReport } from './pass-report.ts';
import { PlanDecisions } from './plan-decisions.ts';
import { validatePodsAhead } from './pod-validation.ts';
import {
  applyPlan,
  type PassContext,
  type PassInput,
  recordBufferPods,
  renewNominations,
} from './provisioning-pass.ts';
import { SyncWait } from './sync-wait.ts';
import { ZoneGauges } from './zone-gauges.ts';

export type ProvisionerContext = PassContext & Pick<ControllerContext, 'planning' | 'decisions'>;

/** The first round ends after this time and creates its NodeClaims, even if pods are left (ADR 0023). */
const firstRoundLimit = seconds(1);
/** Each further round may take this many times as long as the one before. */
const roundLimitFactor = 4;
const requeueNow: ReconcileResult = { requeueAfter: durationMs(0) };

/**
 * The provisioner: waits for a batch of triggers, plans for all provisionable pods, creates NodeClaims, and
 * starts over. Pods that the plan did not get to are triggered again, since they would otherwise wait for
 * their own requeue.
 */
export function provisioner(
  context: ProvisionerContext,
  batcher: Pick<ProvisioningBatcher, 'wait' | 'trigger'>,
): Runnable {
  const passes = new Provisioner(context);
  const sync = new SyncWait(context);
  return {
    singleton: {
      name: controllerNames.provisioner,
      reconcile: async (signal) => {
        if (!(await batcher.wait(signal))) return undefined;
        // As in Karpenter a batch that ends before the sync is dropped: its pods trigger again within ten
        // seconds.
        if (sync.isOver()) await passes.pass(signal);
        for (const uid of passes.unevaluated) batcher.trigger(uid);
        return requeueNow;
      },
    },
  };
}

interface CapturedPass extends PassInput {
  readonly captured: CapturedCluster | undefined;
}

/** When a round must stop. */
interface RoundLimits {
  readonly deadline: Instant;
  readonly signal: AbortSignal;
}

class Provisioner {
  readonly #context: ProvisionerContext;
  readonly #report: PassReport;
  readonly #planner: MeasuredPlanner;
  readonly #incompatiblePools = new IncompatiblePoolSearch();
  readonly #zones: ZoneGauges;
  readonly #warnings: ConsolidationWarnings;
  readonly #decisions: PlanDecisions;
  /** Uids of pods that the last round did not get to. The next round plans for them first. */
  unevaluated: ReadonlySet<string> = new Set();
  /** Uids of pods that only suspect offerings may fit (ADR 0029). */
  #podsForLastRound: ReadonlySet<string> = new Set();

  constructor(context: ProvisionerContext) {
    this.#context = context;
    this.#report = new PassReport(context);
    this.#planner = new MeasuredPlanner(context);
    this.#zones = new ZoneGauges(context);
    this.#warnings = new ConsolidationWarnings(context);
    this.#decisions = new PlanDecisions(context.decisions);
  }

  /**
   * Plans for all provisionable pods, in rounds. The first round is short, so that its NodeClaims launch
   * soon; pods that it does not get to are planned for in the next, longer one. A plan of 20,000 pods fits in
   * the first round.
   *
   * After the last round, pods that found no offering are planned for once more, with suspect offerings: only
   * then are the NodeClaims of all other pods created, so that no pod takes a suspect offering without need.
   */
  async pass(signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    this.#decisions.recordArrived(assignArrivedPods(this.#context, this.#report));
    await yieldToEventLoop();
    renewNominations(this.#context, this.#report);
    await yieldToEventLoop();
    const end = clock.now() + provisioningTuning.solveDeadline;
    let roundLimit: number = firstRoundLimit;
    for (let isOver = false; !isOver; roundLimit *= roundLimitFactor) {
      const plan = await this.#round({ deadline: Math.min(end, clock.now() + roundLimit), signal });
      this.unevaluated = new Set(plan?.unevaluated ?? []);
      isOver = this.unevaluated.size === 0 || signal.aborted || clock.now() >= end;
    }
    const isComplete = this.unevaluated.size === 0 && !signal.aborted;
    if (isComplete && this.#podsForLastRound.size > 0) await this.#lastRound({ deadline: end, signal });
  }

  /** Makes one plan and creates its NodeClaims; undefined when there was nothing to plan. */
  async #round(limits: RoundLimits): Promise<Plan | undefined> {
    const { planning, vocabulary, clock } = this.#context;
    this.#podsForLastRound = new Set();
    const { pods, pendingPods } = this.#context.cluster.snapshot();
    if (!this.#isNeeded(pods)) return undefined;
    await validatePodsAhead(pendingPods, vocabulary.policy, clock);
    const refreshed = await planning.refresh(this.#decisions.refreshOptions);
    const { snapshot: cluster, typeFailures, captured } = refreshed;
    const input = planning.input(cluster);
    await yieldToEventLoop();
    this.#report.ignored(input.ignored);
    this.#warnings.log(cluster.pendingPods);
    this.#report.poolsSkipped(input, typeFailures);
    if (input.snapshot.pods.length === 0) this.#nothingToPlan(input);
    else if (input.snapshot.nodePools.length === 0) this.#nothingToPlanWith(input);
    else return this.#plan({ cluster, input, captured }, limits);
    return undefined;
  }

  /** Without pods there are no buffer pods on any node either, and no pod waits in any zone. */
  #nothingToPlan({ ignored }: PlanInput): void {
    this.#planner.idle();
    this.#report.unschedulable(ignored.filter(isIgnoredForDevices).length);
    this.#zones.clear();
    this.#context.cluster.learn({ type: 'bufferPodsPlaced', byNode: new Map() });
  }

  /** Without NodePools the pods count as decided, but no event rejects them. */
  #nothingToPlanWith({ snapshot }: PlanInput): void {
    this.#context.log.info('no dynamic nodepools found');
    this.#report.decided(realPods(snapshot).map(({ metadata }) => ({ uid: metadata.uid })));
  }

  async #plan({ captured, ...pass }: CapturedPass, limits: RoundLimits): Promise<Plan> {
    const { cluster, input } = pass;
    const { settings, vocabulary, log } = this.#context;
    const { snapshot } = input;
    const { minValuesPolicy } = settings;
    this.#report.poolsIncompatible(
      this.#incompatiblePools.among({ ...snapshot, policy: vocabulary.policy, minValuesPolicy }),
    );
    log.debug('computing scheduling decision for provisionable pod(s)', {
      'pending-pods': cluster.pendingPods.length,
      'deleting-pods': cluster.movingPods.length,
    });
    const options = { ...planOptions(this.#context, 'strict'), first: this.unevaluated };
    const { plan, duration } = await this.#planner.plan(snapshot, options, limits);
    this.#podsForLastRound = podsForLastChoices(snapshot, plan);
    const reported = withoutLastChoices(plan, this.#podsForLastRound);
    this.#reportPlan(input, reported, duration);
    const creations = await applyPlan(this.#context, this.#report, pass, reported);
    const first = [...this.unevaluated];
    this.#decisions.record({ captured, first, pods: snapshot.pods, plan: reported, duration, creations });
    // A plan that reached its deadline has no result for the buffers and zones of pods that it did not get to.
    if (plan.unevaluated.length === 0) {
      await recordBufferPods(this.#context, pass, plan);
      await this.#zones.show(snapshot, options);
    }
    return plan;
  }

  /**
   * Plans with suspect offerings for the pods that found nothing else, on the cluster that the rounds have
   * left.
   */
  async #lastRound(limits: RoundLimits): Promise<void> {
    const { planning } = this.#context;
    const { snapshot: cluster, captured } = await planning.refresh(this.#decisions.refreshOptions);
    const lastChoices = this.#podsForLastRound;
    const input = lastChoicesInput(planning.input(cluster), lastChoices);
    if (input.snapshot.pods.length === 0) return;
    const options = planOptions(this.#context, 'strict');
    const { plan, duration } = await this.#planner.plan(input.snapshot, options, limits);
    this.#reportPlan(input, plan, duration);
    const creations = await applyPlan(this.#context, this.#report, { cluster, input }, plan);
    const { pods } = input.snapshot;
    this.#decisions.record({ captured, lastChoices: [...lastChoices], pods, plan, duration, creations });
    this.unevaluated = new Set(plan.unevaluated);
  }

  #reportPlan({ snapshot, ignored }: PlanInput, plan: Plan, duration: DurationMs): void {
    const pods = realPods(snapshot);
    const uids = new Set(pods.map(({ metadata }) => metadata.uid));
    const rejected = plan.rejections.filter(({ pod }) => uids.has(pod));
    this.#report.unschedulable(ignored.filter(isIgnoredForDevices).length + rejected.length);
    this.#report.planned(plan, pods, duration);
  }

  /**
   * Without provisionable pods the pass ends before it calls the cloud provider; buffers always need a plan.
   */
  #isNeeded(pods: Snapshot['pods']): boolean {
    if (this.#context.settings.featureGates.CapacityBuffer || pods.length > 0) return true;
    this.#planner.idle();
    this.#report.ignored([]);
    this.#report.unschedulable(0);
    this.#zones.clear();
    return false;
  }
}

/** Pods of the cluster, without virtual pods. */
function realPods({ pods }: Pick<Snapshot, 'pods'>): readonly PodView[] {
  return pods.filter((pod) => !isVirtualPod(pod));
}
