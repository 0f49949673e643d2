import {
  type CreatedNode,
  type DecisionRecorder,
  isSamePlan,
  type PlanRecord,
  planDecision,
  planRecord,
  type ReplayMaterial,
} from '@karpenter/core/decisions';
import type { CapturedCluster } from '@karpenter/core/saved-cluster';
import { isVirtualPod, type Plan, type PlannedNode, type PodView } from '@karpenter/core/scheduling';
import type { RefreshOptions } from '../context/index.ts';
import type { Creation } from '../nodeclaim-creation/index.ts';
import type { ArrivedPlacements } from './arrived-pods.ts';

/** An applied plan and its inputs. */
interface AppliedPlan {
  readonly captured: CapturedCluster | undefined;
  /** Uids of the pods that the plan started with, because the round before did not reach them. */
  readonly first?: readonly string[];
  /** Of the last round: uids of the only pods that it planned for, with suspect offerings (ADR 0029). */
  readonly lastChoices?: readonly string[];
  readonly pods: readonly PodView[];
  readonly plan: Plan;
  readonly duration: number;
  readonly creations: readonly Creation[];
}

/** More than one, because the plans of a pass's rounds differ from each other while each repeats in every pass. */
const comparedPlans = 4;

interface RecentPlan {
  readonly id: string;
  readonly plan: PlanRecord;
}

/**
 * Records applied plans. A plan that equals one of the last plans counts as a repeat of it.
 */
export class PlanDecisions {
  readonly #recorder: DecisionRecorder;
  /** The newest first. */
  #recent: readonly RecentPlan[] = [];

  constructor(recorder: DecisionRecorder) {
    this.#recorder = recorder;
  }

  get refreshOptions(): RefreshOptions {
    return { capture: this.#recorder.keepsClusters ? 'strict' : undefined };
  }

  record(applied: AppliedPlan): void {
    if (!this.#recorder.isOn) return;
    const { plan, creations, duration } = applied;
    const names = new Map(
      applied.pods.filter((pod) => !isVirtualPod(pod)).map((pod) => [pod.metadata.uid, pod]),
    );
    if (isWithoutDecision(applied.plan, names.size)) return;
    const recorded = planRecord(plan);
    if (this.#isRepeat(recorded, creations)) return;
    const draft = planDecision({ plan, names, durationMs: duration, created: createdNodes(creations) });
    const id = this.#recorder.record(draft, materialOf(applied, recorded));
    this.#recent = [{ id, plan: recorded }, ...this.#recent.slice(0, comparedPlans - 1)];
  }

  /** Records which pods go to NodeClaims that were sized for them before they existed. */
  recordArrived({ placements, names }: ArrivedPlacements): void {
    if (!this.#recorder.isOn || placements.length === 0) return;
    const plan = { placements, newNodes: [], rejections: [], deferred: [] };
    this.#recorder.record(planDecision({ plan, names, durationMs: 0, created: new Map() }), undefined);
  }

  /** A plan that created NodeClaims is never a repeat, even if it equals a plan whose NodeClaims have failed since. */
  #isRepeat(plan: PlanRecord, creations: readonly Creation[]): boolean {
    if (creations.some((creation) => 'nodeClaim' in creation)) return false;
    const same = this.#recent.find((recent) => isSamePlan(recent.plan, plan));
    return same !== undefined && this.#recorder.repeat(same.id);
  }
}

/**
 * Whether a plan decides nothing about real pods. Buffers cause a plan in every pass, which mostly changes nothing;
 * and a round leaves all its pods to the last round if only suspect offerings fit them.
 */
function isWithoutDecision({ newNodes, placements, rejections, deferred }: Plan, pods: number): boolean {
  if (newNodes.length > 0) return false;
  return pods === 0 || (placements.length === 0 && rejections.length === 0 && deferred.length === 0);
}

/** A plan that reached its deadline cannot be replayed, because the deadline decided how far it got. */
function materialOf(
  { captured, first = [], lastChoices, plan }: AppliedPlan,
  recorded: PlanRecord,
): ReplayMaterial | undefined {
  if (captured === undefined || plan.unevaluated.length > 0) return undefined;
  return {
    captured,
    record: { kind: 'plan', first, ...(lastChoices !== undefined && { lastChoices }), plan: recorded },
  };
}

function createdNodes(creations: readonly Creation[]): ReadonlyMap<PlannedNode, CreatedNode> {
  return new Map(creations.map((creation) => [creation.planned, createdNode(creation)]));
}

function createdNode(creation: Creation): CreatedNode {
  if ('nodeClaim' in creation) return { nodeClaim: creation.nodeClaim.metadata.name };
  const { error } = creation;
  return { failure: error instanceof Error ? error.message : String(error) };
}
