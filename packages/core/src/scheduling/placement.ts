import {
  type ClassPlacement,
  classPlacements,
  type PlacementContext,
  type PlacementStep,
  recordPlacement,
} from './class-placement.ts';
import { placeOnExisting } from './existing-placement.ts';
import {
  exceedsLimits,
  type FreshChoice,
  type FreshNodes,
  isRejection,
  reservationsTaken,
} from './fresh-node.ts';
import type { PassedPool } from './node-choice.ts';
import type { NodeTemplate } from './node-template.ts';
import { OfferMasks } from './offer-mask.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PlanSignal, PoolRejection } from './plan-result.ts';
import { likeNodes, type PoolQuotas } from './pool-quotas.ts';
import { SettledDomains } from './settled-domains.ts';
import { SharedHosts } from './shared-host.ts';
import { filterAccepts } from './topology/node-filter.ts';
import { Topology } from './topology/topology.ts';
import type { World } from './world.ts';

/** Where every pod may go: on a node that is there, or on a new one yet to be packed; or why nowhere. */
export interface PlacementResult {
  readonly items: readonly PlacementItem[];
  readonly rejected: readonly RejectedPods[];
  /** Uids of pods that wait for a capacity reservation. */
  readonly deferred: readonly string[];
  /** Uids of pods that were not looked at before the plan was stopped. */
  readonly unevaluated: readonly string[];
  readonly isStopped: boolean;
}

export interface RejectedPods {
  readonly pods: readonly string[];
  readonly reasons: readonly PoolRejection[];
}

/**
 * Decides pod by pod, or class by class where pods do not bear on one another, largest first. A pod that finds
 * no place waits for the next round, as others may open a place for it; rounds end when one changes nothing.
 */
export function* placePods(world: World, quotas: PoolQuotas): Generator<void, PlacementResult, PlanSignal> {
  const context: PlacementContext = {
    world,
    topology: new Topology(world),
    masks: world.templates.map((template) => new OfferMasks(template, world.labels)),
  };
  yield;
  const placements = yield* classPlacements(context);
  const run = new PlacementRun(context, placements, quotas);
  let waiting = placements.filter((placement) => placement.waiting.length > 0);
  for (let progress = true; progress && waiting.length > 0; ) {
    progress = false;
    for (const [index, placement] of waiting.entries()) {
      if (run.place(placement)) progress = true;
      if ((yield) === 'stop')
        return { ...run.result(waiting.slice(0, index + 1), waiting.slice(index + 1)), isStopped: true };
    }
    waiting = waiting.filter((placement) => placement.waiting.length > 0);
  }
  return { ...run.result(waiting, []), isStopped: false };
}

class PlacementRun {
  readonly #context: PlacementContext;
  readonly #placements: readonly ClassPlacement[];
  readonly #items: PlacementItem[] = [];
  readonly #itemOf = new Map<ClassPlacement, Map<FreshChoice, PlacementItem>>();
  readonly #hosts: SharedHosts;
  readonly #settled = new SettledDomains();
  readonly #quotas: PoolQuotas;
  /** Pods given to each pool so far. */
  readonly #given = new Map<ClassPlacement, Map<NodeTemplate, number>>();
  /** Classes whose next pod waits for a capacity reservation. */
  readonly #deferred = new Set<ClassPlacement>();

  constructor(context: PlacementContext, placements: readonly ClassPlacement[], quotas: PoolQuotas) {
    this.#context = context;
    this.#quotas = quotas;
    this.#placements = placements;
    this.#hosts = new SharedHosts(context);
  }

  /** What was tried in vain is rejected; what was not looked at in this round is left for the next plan. */
  result(
    tried: readonly ClassPlacement[],
    untried: readonly ClassPlacement[],
  ): Omit<PlacementResult, 'isStopped'> {
    const unplaced = tried.filter(({ waiting }) => waiting.length > 0);
    return {
      items: [...this.#items, ...this.#hosts.items].filter(({ count }) => count > 0),
      rejected: unplaced
        .filter((placement) => !this.#deferred.has(placement))
        .map((placement) => this.#rejected(placement)),
      deferred: unplaced
        .filter((placement) => this.#deferred.has(placement))
        .flatMap(({ waiting }) => waiting.toReversed()),
      unevaluated: untried.flatMap(({ waiting }) => waiting.toReversed()),
    };
  }

  /** Places what can be placed of a class now; whether anything could. */
  place(placement: ClassPlacement): boolean {
    const before = placement.waiting.length;
    while (placement.waiting.length > 0 && this.#placeNext(placement));
    return placement.waiting.length < before;
  }

  #rejected(placement: ClassPlacement): RejectedPods {
    const last = placement.steps.at(-1);
    const reasons = (last?.pools ?? []).map((pool) => this.#reasonOf(placement, pool)).filter(isRejection);
    const lastOfPool = new Map(reasons.map((reason) => [reason.nodePool, reason]));
    return { pods: placement.waiting.toReversed(), reasons: [...lastOfPool.values()] };
  }

  #reasonOf(placement: ClassPlacement, pool: FreshNodes): FreshChoice | PoolRejection {
    const { template } = pool;
    if (this.#quotaLeft(placement, template) < 1)
      return template.remaining === undefined ? reservationsTaken(template) : exceedsLimits(template);
    const answer = pool.ask();
    if (isRejection(answer) || this.#reservedLeft(placement, answer) >= 1) return answer;
    return reservationsTaken(template);
  }

  /** A pod that waits for a reservation is neither relaxed nor offered to the pools that come later. */
  #placeNext(placement: ClassPlacement): boolean {
    this.#deferred.delete(placement);
    for (const step of placement.steps) {
      if (this.#tryStep(placement, step)) return true;
      if (this.#deferred.has(placement)) return false;
    }
    return false;
  }

  #tryStep(placement: ClassPlacement, step: PlacementStep): boolean {
    if (placeOnExisting(placement, step, this.#context.world.nodes) > 0) return true;
    const mustJoin = SharedHosts.concerns(step);
    if (mustJoin && this.#hosts.join(placement, step, this.#items, this.#placements)) return true;
    for (const pool of step.pools) {
      if (this.#tryPool(placement, step, pool, mustJoin)) return true;
      if (this.#deferred.has(placement)) return false;
    }
    return false;
  }

  #tryPool(placement: ClassPlacement, step: PlacementStep, pool: FreshNodes, mustJoin: boolean): boolean {
    if (this.#quotaLeft(placement, pool.template) < 1) return false;
    if (!mustJoin && this.#joinSettled(placement, step, pool)) return true;
    const answer = pool.ask();
    if (isRejection(answer)) return false;
    if (this.#reservedLeft(placement, answer) < 1) {
      if (this.#isStrict) this.#deferred.add(placement);
      return false;
    }
    if (mustJoin) this.#beginHost(placement, step, answer);
    else this.#putOnNew(placement, step, answer);
    return true;
  }

  #joinSettled(placement: ClassPlacement, step: PlacementStep, pool: FreshNodes): boolean {
    if (step.keys.length === 0) return false;
    for (const settled of this.#settled.of(pool.template, step.keys)) {
      const answer = pool.ask(settled);
      if (isRejection(answer) || this.#reservedLeft(placement, answer) < 1) continue;
      this.#putOnNew(placement, step, answer);
      return true;
    }
    return false;
  }

  #quotaLeft(placement: ClassPlacement, template: NodeTemplate): number {
    const given = this.#given.get(placement)?.get(template) ?? 0;
    return this.#quotas.of(template, placement.podClass) - given;
  }

  get #isStrict(): boolean {
    return this.#context.world.options.reservedCapacity?.mode === 'strict';
  }

  #reservedLeft(placement: ClassPlacement, choice: FreshChoice): number {
    if (!this.#quotas.hasReserved) return Number.POSITIVE_INFINITY;
    const like = likeNodes(choice, placement.podClass);
    const items = [...(this.#itemOf.get(placement)?.values() ?? [])];
    return items
      .filter((item) => likeNodes(item, placement.podClass) === like)
      .reduce((left, { count }) => left - count, this.#quotas.ofReserved(like));
  }

  #count(placement: ClassPlacement, template: NodeTemplate, pods: number): void {
    const byTemplate = this.#given.get(placement) ?? new Map<NodeTemplate, number>();
    this.#given.set(placement, byTemplate);
    byTemplate.set(template, (byTemplate.get(template) ?? 0) + pods);
  }

  #beginHost(placement: ClassPlacement, step: PlacementStep, choice: FreshChoice): void {
    this.#count(placement, choice.template, 1);
    const item = newItem(placement, choice, this.#passedOver(placement, step, choice));
    this.#settled.add(item);
    this.#hosts.begin(placement, step, item);
  }

  #putOnNew(placement: ClassPlacement, step: PlacementStep, choice: FreshChoice): void {
    const pods = placement.isFree
      ? Math.min(
          placement.waiting.length,
          this.#quotaLeft(placement, choice.template),
          this.#reservedLeft(placement, choice),
        )
      : 1;
    this.#count(placement, choice.template, pods);
    const item = this.#itemFor(placement, step, choice);
    const uids = placement.waiting.splice(placement.waiting.length - pods, pods);
    for (let i = uids.length - 1; i >= 0; i--) item.members[0]?.pods.push(uids[i] ?? '');
    item.count += pods;
    const { template, requirements } = choice;
    recordPlacement(
      placement,
      requirements,
      pods,
      ({ filter, isHostname }) =>
        !isHostname && filterAccepts(filter, template.taints, requirements, this.#context.world.wellKnown),
    );
  }

  #passedOver(
    placement: ClassPlacement,
    { pools }: PlacementStep,
    { template }: FreshChoice,
  ): readonly PassedPool[] {
    if (pools[0]?.template === template) return [];
    const before = pools.slice(
      0,
      pools.findIndex((pool) => pool.template === template),
    );
    const reasons = before.map((pool) => this.#reasonOf(placement, pool)).filter(isRejection);
    const lastOfPool = new Map(reasons.map(({ nodePool = '', message }) => [nodePool, message]));
    return Array.from(lastOfPool, ([nodePool, message]) => ({ nodePool, message }));
  }

  #itemFor(placement: ClassPlacement, step: PlacementStep, choice: FreshChoice): PlacementItem {
    const byChoice = this.#itemOf.get(placement) ?? new Map<FreshChoice, PlacementItem>();
    this.#itemOf.set(placement, byChoice);
    const known = byChoice.get(choice);
    if (known !== undefined) return known;
    const made = newItem(placement, choice, this.#passedOver(placement, step, choice));
    made.members.push({
      podClass: placement.podClass,
      hostGroups: step.hostGroups,
      pods: [],
    });
    byChoice.set(choice, made);
    this.#items.push(made);
    this.#settled.add(made);
    return made;
  }
}

function newItem(
  { size, selecting, held }: ClassPlacement,
  choice: FreshChoice,
  passedOver: readonly PassedPool[],
): PlacementItem {
  const isCounted = [selecting, held].some((groups) => groups.some(({ isHostname }) => !isHostname));
  return { ...choice, members: [], size, passedOver, isCounted, isSharedHost: false, count: 0 };
}
