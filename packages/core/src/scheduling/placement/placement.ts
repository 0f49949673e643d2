import { memoized } from '../../values/index.ts';
import type { AttemptPolicy } from '../context/attempt-policy.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { PlanScratch } from '../context/plan-scratch.ts';
import { DeviceLedger } from '../devices/index.ts';
import { placeOnExisting } from '../existing-nodes/existing-placement.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import { CountedNodes } from '../limits/counted-nodes.ts';
import { losesReservation } from '../limits/reservations.ts';
import type { PlanSignal, PoolRejection } from '../plan-result.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { PassedPool } from '../reasons/node-choice.ts';
import { Topology } from '../topology/topology.ts';
import {
  bearsOnOthers,
  type ClassPlacement,
  classPlacements,
  countAlike,
  keysNamed,
  type PlacementState,
  type PlacementStep,
  recordPlacement,
} from './class-placement.ts';
import {
  exceedsLimits,
  type FreshChoice,
  type FreshNodes,
  isRejection,
  reservationsTaken,
} from './fresh-node.ts';
import type { ItemMember, PlacementItem } from './placement-item.ts';
import { GivenPods, nodesKey, type PoolQuotas, type QuotaKey } from './pool-quotas.ts';
import { SettledDomains } from './settled-domains.ts';
import { SharedHosts } from './shared-host.ts';

/** Pods that a pool might take and was not given because of its quota. */
export interface HeldBack extends QuotaKey {
  readonly pods: number;
  /** As one of them would be packed. */
  readonly item: PlacementItem;
}

export interface RejectedPods {
  readonly pods: readonly string[];
  readonly reasons: readonly PoolRejection[];
}

/** One attempt at placing all pods. */
export interface PlacementInputs {
  readonly context: PlanContext;
  readonly scratch: PlanScratch;
  readonly policy: Pick<AttemptPolicy, 'ranking'>;
  readonly quotas: PoolQuotas;
}

/**
 * Decides pod by pod, or class by class where pods do not bear on one another, largest first. A pod that finds
 * no place waits for the next round, as others may open a place for it; rounds end when one changes nothing.
 * Virtual pods come when all others have had their rounds: they keep room that nobody wants, and nobody can follow
 * what is not there.
 */
export function* placePods({
  context,
  scratch,
  policy: { ranking },
  quotas,
}: PlacementInputs): Generator<void, Placement, PlanSignal> {
  const { cluster, pools } = context;
  const state: PlacementState = {
    context,
    scratch,
    ranking,
    topology: new Topology(context),
    masks: pools.templates.map(pools.masksOf),
    counted: new CountedNodes(context),
    devices: ledgerOf(context),
  };
  yield;
  const placements = yield* classPlacements(state);
  const keys = keysNamed(placements);
  const deviceKeys = placements.some(({ devices }) => devices !== undefined) ? cluster.devices?.keys : [];
  for (const { kinds } of pools.templates) kinds.tellApart([...keys, ...(deviceKeys ?? [])]);
  const run = new Placement(state, placements, quotas);
  const isVirtual = ({ podClass }: ClassPlacement) => podClass.isVirtual;
  const turns = [placements.filter((each) => !isVirtual(each)), placements.filter(isVirtual)];
  for (const [turn, inTurn] of turns.entries()) {
    const missed = yield* placeInRounds(run, inTurn);
    if (missed !== undefined) return run.stopBefore([...missed, ...turns.slice(turn + 1).flat()]);
  }
  return run;
}

/** Devices of nodes that are not in the context, such as nodes that a simulation removes, are gone with them. */
function ledgerOf({ cluster: { devices, nodes }, snapshot }: PlanContext): DeviceLedger | undefined {
  const { pods, boundPods } = snapshot;
  return devices && new DeviceLedger(devices, { nodes, pods, boundPods });
}

/** Gives back the classes that were not looked at in the last round, if it was told to stop. */
function* placeInRounds(
  run: Placement,
  placements: readonly ClassPlacement[],
): Generator<void, readonly ClassPlacement[] | undefined, PlanSignal> {
  let waiting = placements.filter((placement) => placement.waiting.length > 0);
  for (let progress = true; progress && waiting.length > 0; ) {
    progress = false;
    for (const [index, placement] of waiting.entries()) {
      if (run.place(placement)) progress = true;
      if ((yield) === 'stop') return waiting.slice(index + 1);
    }
    waiting = waiting.filter((placement) => placement.waiting.length > 0);
  }
  return undefined;
}

/** Where every pod may go: on a node that is there, or on a new one yet to be packed; or why nowhere. */
export class Placement {
  readonly #state: PlacementState;
  readonly #placements: readonly ClassPlacement[];
  readonly #items: PlacementItem[] = [];
  readonly #itemOf = new Map<ClassPlacement, Map<FreshChoice, PlacementItem>>();
  readonly #hosts: SharedHosts;
  readonly #settled = new SettledDomains();
  readonly #given: GivenPods;
  /** Classes whose next pod waits for a capacity reservation. */
  readonly #deferred = new Set<ClassPlacement>();
  /** Steps at which classes found no devices: they are not relaxed any further. */
  readonly #withoutDevices = new Map<ClassPlacement, PlacementStep>();
  /** Classes that were not looked at in the last round; absent unless the plan was stopped. */
  #untried: readonly ClassPlacement[] | undefined;

  constructor(state: PlacementState, placements: readonly ClassPlacement[], quotas: PoolQuotas) {
    this.#state = state;
    this.#given = new GivenPods(quotas);
    this.#placements = placements;
    this.#hosts = new SharedHosts(state);
  }

  get items(): readonly PlacementItem[] {
    return [...this.#items, ...this.#hosts.items].filter(({ count }) => count > 0);
  }

  get given(): GivenPods {
    return this.#given;
  }

  /** What was tried in vain. */
  get rejected(): readonly RejectedPods[] {
    return this.#turnedAway
      .filter((placement) => this.#isTried(placement))
      .map((placement) => this.#rejected(placement));
  }

  /** Uids of pods that wait for a capacity reservation. */
  get deferred(): readonly string[] {
    return [...this.#deferred]
      .filter((placement) => this.#isTried(placement))
      .flatMap(({ waiting }) => waiting.toReversed());
  }

  get waitingClasses(): readonly PodClass[] {
    return Array.from(this.#deferred, ({ podClass }) => podClass);
  }

  /** Pods that must share a host wait with those of their class that wait for a reservation. */
  waitWith(classes: ReadonlySet<PodClass>): void {
    for (const placement of this.#turnedAway) {
      const { podClass, steps } = placement;
      if (classes.has(podClass) && steps.some(SharedHosts.concerns)) this.#deferred.add(placement);
    }
  }

  /** Uids of pods that were not looked at in the last round before the plan was stopped. */
  get unevaluated(): readonly string[] {
    return this.#untried?.flatMap(({ waiting }) => waiting.toReversed()) ?? [];
  }

  get isStopped(): boolean {
    return this.#untried !== undefined;
  }

  /** All classes, whatever became of them. */
  get classes(): readonly ClassPlacement[] {
    return this.#placements;
  }

  stopBefore(untried: readonly ClassPlacement[]): this {
    this.#untried = untried;
    return this;
  }

  #isTried(placement: ClassPlacement): boolean {
    return this.#untried?.includes(placement) !== true;
  }

  get #turnedAway(): readonly ClassPlacement[] {
    return this.#placements.filter((placement) => this.#isTurnedAway(placement));
  }

  #isTurnedAway(placement: ClassPlacement): boolean {
    return placement.waiting.length > 0 && !this.#deferred.has(placement);
  }

  /** Pods that a quota turned away, as far as there is room for them on one more node; what is handed out is placed. */
  beyondQuota(
    placement: ClassPlacement,
    roomFor: (item: PlacementItem, pods: number) => number,
  ): PlacementItem | undefined {
    if (!this.#isTurnedAway(placement) || placement.devices !== undefined) return undefined;
    const left = placement.isFree ? placement.waiting.length : 1;
    const full = placement.steps
      .filter((step) => !SharedHosts.concerns(step))
      .flatMap((step) => step.pools.map((pool) => ({ step, pool })))
      .filter(({ step, pool }) => !this.#isOpen(placement, step, pool.template));
    for (const { step, pool } of full) {
      const item = this.#itemIn(placement, step, pool);
      const pods = item === undefined ? 0 : roomFor(item, left);
      if (item === undefined || pods === 0) continue;
      this.#hand(placement, item, pods);
      return item;
    }
    return undefined;
  }

  /** Pools that were full when pods of the class were turned away or went on to another pool. */
  heldBack(placement: ClassPlacement): readonly HeldBack[] {
    // Whether one more node would do cannot be told without its devices; the next plan knows those of the first.
    if (placement.devices !== undefined) return [];
    let pods = placement.waiting.length;
    const held: HeldBack[] = [];
    for (const step of placement.steps.toReversed()) {
      for (const pool of step.pools.toReversed()) {
        const key = quotaKey(placement, step, pool.template);
        if (pods > 0 && this.#given.left(key) < 1) {
          const item = this.#itemIn(placement, step, pool);
          if (item !== undefined) held.unshift({ pods, item, ...key });
        }
        pods += this.#given.of(key);
      }
    }
    return held;
  }

  /** What pods of the class wait for, where reservations were found too few for it. */
  waitingFor(placement: ClassPlacement): HeldBack | undefined {
    if (!this.#deferred.has(placement)) return undefined;
    for (const step of placement.steps) {
      for (const pool of step.pools.filter(({ template }) => this.#isOpen(placement, step, template))) {
        const item = this.#itemIn(placement, step, pool);
        if (item === undefined) continue;
        const key = nodesKey(pool.template, item.requirements, placement.podClass);
        const pods = SharedHosts.concerns(step) ? 1 : placement.waiting.length;
        return this.#given.left(key) < 1 ? { pods, item, ...key } : undefined;
      }
    }
    return undefined;
  }

  /** Places what can be placed of a class now; whether anything could. */
  place(placement: ClassPlacement): boolean {
    const before = placement.waiting.length;
    while (placement.waiting.length > 0 && this.#placeNext(placement));
    return placement.waiting.length < before;
  }

  #rejected(placement: ClassPlacement): RejectedPods {
    const last = this.#withoutDevices.get(placement) ?? placement.steps.at(-1);
    const reasons = (last === undefined ? [] : [last])
      .flatMap((step) => step.pools.map((pool) => this.#reasonOf(placement, step, pool)))
      .filter(isRejection);
    const lastOfPool = new Map(reasons.map((reason) => [reason.nodePool, reason]));
    return { pods: placement.waiting.toReversed(), reasons: [...lastOfPool.values()] };
  }

  #reasonOf(placement: ClassPlacement, step: PlacementStep, pool: FreshNodes): FreshChoice | PoolRejection {
    const { template } = pool;
    if (!this.#isOpen(placement, step, template))
      return template.remaining === undefined ? reservationsTaken(template) : exceedsLimits(template);
    const answer = this.#ask(placement, pool);
    if (isRejection(answer) || this.#hasReserved(placement, answer)) return answer;
    return reservationsTaken(template);
  }

  /** A pod that waits for a reservation is neither relaxed nor offered to the pools that come later. */
  #placeNext(placement: ClassPlacement): boolean {
    this.#deferred.delete(placement);
    this.#withoutDevices.delete(placement);
    placement.devices?.beginPod();
    const isDecided = placement.steps.some(
      (step) =>
        this.#tryStep(placement, step) ||
        this.#deferred.has(placement) ||
        this.#withoutDevices.has(placement),
    );
    return isDecided && !this.#deferred.has(placement) && !this.#withoutDevices.has(placement);
  }

  #tryStep(placement: ClassPlacement, step: PlacementStep): boolean {
    if (placeOnExisting(placement, step, this.#state.scratch.nodes) > 0) return true;
    const mustJoin = SharedHosts.concerns(step) || placement.devices !== undefined;
    if (mustJoin && this.#joinHost(placement, step)) return true;
    const isDecided = step.pools.some(
      (pool) => this.#tryPool(placement, step, pool, mustJoin) || this.#deferred.has(placement),
    );
    if (isDecided) this.#withoutDevices.delete(placement);
    return isDecided && !this.#deferred.has(placement);
  }

  /** What the pool says of a new node for the next pod, devices included. */
  #ask(placement: ClassPlacement, pool: FreshNodes): FreshChoice | PoolRejection {
    const answer = pool.ask();
    if (placement.devices === undefined || isRejection(answer)) return answer;
    return this.#hosts.withDevices(placement.devices, placement.size, answer);
  }

  #joinHost(placement: ClassPlacement, step: PlacementStep): boolean {
    const template = this.#hosts.join(placement, step, {
      items: this.#items,
      placements: this.#placements,
      isOpen: (open) => this.#isOpen(placement, step, open),
    });
    if (template !== undefined) this.#given.add(quotaKey(placement, step, template), 1);
    return template !== undefined;
  }

  #tryPool(placement: ClassPlacement, step: PlacementStep, pool: FreshNodes, mustJoin: boolean): boolean {
    if (!this.#isOpen(placement, step, pool.template)) return false;
    if (!mustJoin && this.#joinSettled(placement, step, pool)) return true;
    const answer = this.#ask(placement, pool);
    if (isRejection(answer)) {
      if (answer.failed.includes('devices')) this.#withoutDevices.set(placement, step);
      return false;
    }
    if (!this.#hasReserved(placement, answer)) {
      if (this.#state.context.options.reservedCapacity?.mode === 'strict') this.#deferred.add(placement);
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
      if (isRejection(answer) || !this.#hasReserved(placement, answer)) continue;
      if (this.#isNarrowed(pool, placement, answer)) continue;
      this.#putOnNew(placement, step, answer);
      return true;
    }
    return false;
  }

  /** Nodes that have settled may have to wait for a reservation, while one that is still open finds another. */
  #isNarrowed(pool: FreshNodes, placement: ClassPlacement, settled: FreshChoice): boolean {
    const { context, scratch } = this.#state;
    if (context.options.reservedCapacity?.mode !== 'strict' || pool.template.reservedOffers.length === 0)
      return false;
    const open = pool.ask();
    if (isRejection(open) || !this.#hasReserved(placement, open)) return false;
    const { size } = placement;
    return losesReservation(scratch.reservations, { ...open, size }, { ...settled, size });
  }

  #isOpen(placement: ClassPlacement, step: PlacementStep, template: NodeTemplate): boolean {
    return this.#given.left(quotaKey(placement, step, template)) >= 1;
  }

  /** Whether reservations do for one more pod on such a node, as far as is known. */
  #hasReserved(placement: ClassPlacement, choice: FreshChoice): boolean {
    return this.#reservedLeft(placement, choice) >= 1;
  }

  #reservedLeft({ podClass }: ClassPlacement, choice: FreshChoice): number {
    if (choice.template.reservedOffers.length === 0) return Number.POSITIVE_INFINITY;
    return this.#given.left(nodesKey(choice.template, choice.requirements, podClass));
  }

  #beginHost(placement: ClassPlacement, step: PlacementStep, choice: FreshChoice): void {
    this.#give(placement, step, choice, 1);
    const item = this.#newItem(placement, step, choice, []);
    if (choice.grant !== undefined) placement.devices?.give(choice.grant.grant);
    this.#settled.add(item);
    this.#hosts.begin(placement, step, item);
  }

  #putOnNew(placement: ClassPlacement, step: PlacementStep, choice: FreshChoice): void {
    const key = quotaKey(placement, step, choice.template);
    const pods = placement.isFree
      ? Math.min(placement.waiting.length, this.#given.left(key), this.#reservedLeft(placement, choice))
      : 1;
    this.#give(placement, step, choice, pods);
    this.#hand(placement, this.#itemFor(placement, step, choice), pods);
  }

  #give(placement: ClassPlacement, step: PlacementStep, choice: FreshChoice, pods: number): void {
    const { template, requirements } = choice;
    this.#given.add(quotaKey(placement, step, template), pods);
    if (template.reservedOffers.length === 0) return;
    this.#given.add(nodesKey(template, requirements, placement.podClass), pods);
  }

  /** Makes the next pods units of an item. */
  #hand(placement: ClassPlacement, item: PlacementItem, pods: number): void {
    for (let i = 0; i < pods; i++) {
      const uid = placement.waiting.pop();
      if (uid !== undefined) item.members[0]?.pods.push(uid);
    }
    item.count += pods;
    recordPlacement(
      placement,
      item.requirements,
      pods,
      ({ filter, isHostname }) => !isHostname && this.#state.counted.areSeenBy(filter, item),
    );
  }

  #itemFor(placement: ClassPlacement, step: PlacementStep, choice: FreshChoice): PlacementItem {
    const byChoice = this.#itemOf.get(placement) ?? new Map<FreshChoice, PlacementItem>();
    this.#itemOf.set(placement, byChoice);
    const known = byChoice.get(choice);
    if (known !== undefined) return known;
    const members = membersOf(placement, step);
    const elsewhere = memoized((template: NodeTemplate) => {
      const there = this.#elsewhere(placement, step, choice, template);
      if (there === undefined) return undefined;
      return { usesSpareCapacity: true, ...this.#newItem(placement, step, there, members) };
    });
    const made = { elsewhere, ...this.#newItem(placement, step, choice, members) };
    byChoice.set(choice, made);
    this.#items.push(made);
    this.#settled.add(made);
    return made;
  }

  /** Where one place of the volumes is as good as another, the choice might differ. */
  #elsewhere(
    placement: ClassPlacement,
    step: PlacementStep,
    choice: FreshChoice,
    template: NodeTemplate,
  ): FreshChoice | undefined {
    const [pool, ...others] = step.pools.filter((candidate) => candidate.template === template);
    if (pool === undefined || others.length > 0) return undefined;
    const there = pool.askFor(choice.picks);
    if (isRejection(there)) return undefined;
    const { counted } = this.#state;
    return countAlike(placement, step, [choice, there], counted) ? there : undefined;
  }

  /** The class as it would be packed if the pool took it. */
  #itemIn(placement: ClassPlacement, step: PlacementStep, pool: FreshNodes): PlacementItem | undefined {
    const choice = pool.ask();
    if (isRejection(choice)) return undefined;
    return this.#newItem(placement, step, choice, membersOf(placement, step));
  }

  #newItem(
    placement: ClassPlacement,
    step: PlacementStep,
    choice: FreshChoice,
    members: ItemMember[],
  ): PlacementItem {
    const { template, question, requirements, mask, grant } = choice;
    return {
      template,
      question,
      requirements,
      firstRequirements: requirements,
      mask,
      size: placement.size,
      members,
      passedOver: this.#passedOver(placement, step, choice),
      isCounted: bearsOnOthers(placement),
      isSharedHost: false,
      count: 0,
      ...(grant !== undefined && { devices: grant.devices }),
    };
  }

  #passedOver(
    placement: ClassPlacement,
    step: PlacementStep,
    { template }: FreshChoice,
  ): readonly PassedPool[] {
    const { pools } = step;
    if (pools[0]?.template === template) return [];
    const before = pools.slice(
      0,
      pools.findIndex((pool) => pool.template === template),
    );
    const reasons = before.map((pool) => this.#reasonOf(placement, step, pool)).filter(isRejection);
    const lastOfPool = new Map(reasons.map(({ nodePool = '', message }) => [nodePool, message]));
    return Array.from(lastOfPool, ([nodePool, message]) => ({ nodePool, message }));
  }
}

function quotaKey({ podClass }: ClassPlacement, { index }: PlacementStep, template: NodeTemplate): QuotaKey {
  return { template, podClass, step: index };
}

function membersOf({ podClass }: ClassPlacement, { index, hostGroups }: PlacementStep): ItemMember[] {
  return [{ podClass, step: index, hostGroups, pods: [] }];
}
