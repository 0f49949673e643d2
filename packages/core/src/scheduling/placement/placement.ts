import { memoized } from '../../values/index.ts';
import type { Steps } from '../../yielding/index.ts';
import type { AttemptPolicy } from '../context/attempt-policy.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { PlanScratch } from '../context/plan-scratch.ts';
import { DeviceLedger } from '../devices/index.ts';
import { placeOnExisting } from '../existing-nodes/existing-placement.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import { CountedNodes } from '../limits/counted-nodes.ts';
import { losesReservation } from '../limits/reservations.ts';
import type { PoolRejection } from '../plan-result.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { PassedPool } from '../reasons/node-choice.ts';
import { Topology } from '../topology/topology.ts';
import {
  type ClassPlacement,
  classPlacements,
  constrainsOthers,
  countAlike,
  keysNamed,
  type PlacementState,
  type PlacementStep,
  recordPlacement,
} from './class-placement.ts';
import {
  exceedsLimits,
  isRejection,
  type NewNodeChoice,
  type NewNodes,
  reservationsTaken,
} from './new-node.ts';
import type { ItemMember, PlacementItem } from './placement-item.ts';
import { GivenPods, nodesKey, type PoolQuotas, type QuotaKey } from './pool-quotas.ts';
import { SettledDomains } from './settled-domains.ts';
import { SharedHosts } from './shared-host.ts';

/** Pods that a quota kept from a pool. */
export interface HeldBack extends QuotaKey {
  readonly pods: number;
  /** The item that the NodePool would pack. */
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

/** With more steps of relaxation than this, placing one pod takes so long that `place` yields after each. */
const usualSteps = 10;

/**
 * Places pods one by one, or whole classes where one placement does not change the next, largest first. As in
 * Karpenter's queue, a pod without a place is tried again in the next round, because a pod placed meanwhile may be the
 * target of its affinity; rounds end when one places nothing. Virtual pods come after all rounds of real pods: they
 * only use room that real pods leave, and no real pod may depend on them, because kube-scheduler will not find them
 * (ADR 0012).
 */
export function* placePods({
  context,
  scratch,
  policy: { ranking },
  quotas,
}: PlacementInputs): Steps<PodPlacement> {
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
  // Before the first mask is computed, because the labels that pods name distinguish the kinds of offers (ADR 0019).
  for (const { kinds } of pools.templates) kinds.distinguish([...keys, ...(deviceKeys ?? [])]);
  const run = new PodPlacement(state, placements, quotas);
  const isVirtual = ({ podClass }: ClassPlacement) => podClass.isVirtual;
  const phases = [placements.filter((each) => !isVirtual(each)), placements.filter(isVirtual)];
  for (const [phase, inPhase] of phases.entries()) {
    const missed = yield* placeInRounds(run, inPhase);
    if (missed !== undefined) return run.stopBefore([...missed, ...phases.slice(phase + 1).flat()]);
  }
  return run;
}

/** Devices of nodes that are not in the context, such as nodes that a simulation removes, cannot be allocated. */
function ledgerOf({ cluster: { devices, nodes }, snapshot }: PlanContext): DeviceLedger | undefined {
  const { pods, boundPods } = snapshot;
  return devices && new DeviceLedger(devices, { nodes, pods, boundPods });
}

/** Returns the classes that the last round did not evaluate, if the signal `stop` ended it. */
function* placeInRounds(
  run: PodPlacement,
  placements: readonly ClassPlacement[],
): Steps<readonly ClassPlacement[] | undefined> {
  let waiting = placements.filter((placement) => placement.waiting.length > 0);
  for (let progress = true; progress && waiting.length > 0; ) {
    progress = false;
    for (const [index, placement] of waiting.entries()) {
      if (yield* run.place(placement)) progress = true;
      // As in Karpenter, pods that a deadline cuts off get no error: only the classes after this one are left
      // out.
      if ((yield) === 'stop') return waiting.slice(index + 1);
    }
    waiting = waiting.filter((placement) => placement.waiting.length > 0);
  }
  return undefined;
}

/**
 * The result of placement: each pod is on an existing node, in an item to pack on new nodes, or has no place.
 */
export class PodPlacement {
  readonly #state: PlacementState;
  readonly #placements: readonly ClassPlacement[];
  readonly #items: PlacementItem[] = [];
  readonly #apart: PlacementItem[] = [];
  readonly #itemOf = new Map<ClassPlacement, Map<NewNodeChoice, PlacementItem>>();
  readonly #hosts: SharedHosts;
  readonly #settled = new SettledDomains();
  readonly #given: GivenPods;
  /** Classes whose next pod waits for a capacity reservation, each with the step that could use one. */
  readonly #deferred = new Map<ClassPlacement, PlacementStep>();
  /** Steps at which no devices were found for a class: as in Karpenter, relaxation ends there. */
  readonly #withoutDevices = new Map<ClassPlacement, PlacementStep>();
  /** Classes that the last round did not evaluate; undefined if the plan was not stopped. */
  #untried: readonly ClassPlacement[] | undefined;

  constructor(state: PlacementState, placements: readonly ClassPlacement[], quotas: PoolQuotas) {
    this.#state = state;
    this.#given = new GivenPods(quotas);
    this.#placements = placements;
    this.#hosts = new SharedHosts(state);
  }

  get items(): readonly PlacementItem[] {
    // A shared host may have taken the last unit of an item (`SharedHosts`).
    return [...this.#items, ...this.#hosts.items].filter(({ count }) => count > 0);
  }

  /** Items that are not packed: their pods get nodes of their own. */
  get apart(): readonly PlacementItem[] {
    return this.#apart;
  }

  get given(): GivenPods {
    return this.#given;
  }

  /** Pods without a place, with the reasons of the last step of relaxation. */
  get rejected(): readonly RejectedPods[] {
    return this.#withoutPlace
      .filter((placement) => this.#isTried(placement))
      .map((placement) => this.#rejected(placement));
  }

  /** Uids of pods that wait for a capacity reservation. */
  get deferred(): readonly string[] {
    return [...this.#deferred.keys()]
      .filter((placement) => this.#isTried(placement))
      .flatMap(({ waiting }) => waiting.toReversed());
  }

  get waitingClasses(): readonly PodClass[] {
    return Array.from(this.#deferred.keys(), ({ podClass }) => podClass);
  }

  /** Defers pods that must share a host together with the deferred pods of their class (ADR 0009). */
  deferWith(classes: ReadonlySet<PodClass>): void {
    for (const placement of this.#withoutPlace) {
      const { podClass, steps } = placement;
      const last = steps.at(-1);
      if (last === undefined || !classes.has(podClass) || !steps.some(SharedHosts.concerns)) continue;
      this.#deferred.set(placement, last);
    }
  }

  /** Uids of pods that the last round did not evaluate before the plan was stopped. */
  get unevaluated(): readonly string[] {
    return this.#untried?.flatMap(({ waiting }) => waiting.toReversed()) ?? [];
  }

  get isStopped(): boolean {
    return this.#untried !== undefined;
  }

  /** All classes, placed or not. */
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

  get #withoutPlace(): readonly ClassPlacement[] {
    return this.#placements.filter((placement) => this.#isWithoutPlace(placement));
  }

  #isWithoutPlace(placement: ClassPlacement): boolean {
    return placement.waiting.length > 0 && !this.#deferred.has(placement);
  }

  /** Gives pods that a quota keeps out to a NodePool with room for them on one more node; returns them as an item. */
  beyondQuota(
    placement: ClassPlacement,
    roomFor: (item: PlacementItem, pods: number) => number,
  ): PlacementItem | undefined {
    if (!this.#isWithoutPlace(placement) || placement.devices !== undefined) return undefined;
    const left = placement.isFree ? placement.waiting.length : 1;
    const full = placement.steps
      .filter((step) => !SharedHosts.concerns(step))
      .flatMap((step) => step.pools.map((pool) => ({ step, pool })))
      .filter(({ step, pool }) => !this.#isOpen(placement, step, pool.template));
    for (const { step, pool } of full) {
      const item = this.#itemIn(placement, step, pool);
      const pods = item === undefined ? 0 : roomFor(item, left);
      if (item === undefined || pods === 0) continue;
      this.#moveTo(placement, item, pods);
      return item;
    }
    return undefined;
  }

  /** Pools whose quota was used up when pods of the class went on to another pool or found no place. */
  heldBack(placement: ClassPlacement): readonly HeldBack[] {
    // Devices are only allocated during placement; the next plan does that.
    if (placement.devices !== undefined) return [];
    let pods = placement.waiting.length;
    const held: HeldBack[] = [];
    // From the last choice to the first: every full pool also held back the pods that later pools and steps
    // took.
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

  /** The reservation that pods of the class wait for, if a quota keeps them from it. */
  waitingFor(placement: ClassPlacement): HeldBack | undefined {
    if (!this.#deferred.has(placement)) return undefined;
    for (const step of placement.steps) {
      for (const pool of step.pools.filter(({ template }) => this.#isOpen(placement, step, template))) {
        const item = this.#itemIn(placement, step, pool);
        if (item === undefined) continue;
        const key = nodesKey(pool.template, item.requirements, placement.podClass);
        const pods = SharedHosts.concerns(step) ? 1 : placement.waiting.length;
        // Only the first pool that would take the pods counts, because a deferred pod is not offered to later
        // ones.
        return this.#given.left(key) < 1 ? { pods, item, ...key } : undefined;
      }
    }
    return undefined;
  }

  /** Gives pods that a quota keeps waiting to a reservation that has room for them; returns them as an item. */
  onReservation(
    placement: ClassPlacement,
    roomFor: (item: PlacementItem, pods: number) => number,
  ): PlacementItem | undefined {
    // The additional node has no pods that these could join, and devices are only allocated during placement.
    if (placement.devices !== undefined || placement.steps.some(SharedHosts.concerns)) return undefined;
    const waiting = this.waitingFor(placement);
    if (waiting === undefined) return undefined;
    const { item } = waiting;
    const pods = roomFor(item, placement.isFree ? waiting.pods : 1);
    if (pods === 0) return undefined;
    this.#moveTo(placement, item, pods);
    return item;
  }

  /**
   * Offers existing nodes once more to pods without a place, and returns whether one took any: pods that were given a
   * node after the rounds may have opened a domain to them. As in the rounds, pods that wait for a reservation are not
   * relaxed any further.
   */
  retryExisting(placement: ClassPlacement): boolean {
    // Devices are only allocated during placement.
    if (placement.devices !== undefined) return false;
    const last = this.#deferred.get(placement) ?? placement.steps.at(-1);
    const steps = placement.steps.filter(({ index }) => index <= (last?.index ?? 0));
    const before = placement.waiting.length;
    const { blocks } = this.#state.scratch;
    for (let progress = true; progress && placement.waiting.length > 0; )
      progress = steps.some((step) => placeOnExisting(placement, step, blocks) > 0);
    return placement.waiting.length < before;
  }

  /** Places as many pods of a class as possible now; returns whether that was any. */
  *place(placement: ClassPlacement): Steps<boolean> {
    const { waiting, steps } = placement;
    const before = waiting.length;
    while (waiting.length > 0 && this.#placeNext(placement)) if (steps.length > usualSteps) yield;
    return waiting.length < before;
  }

  #rejected(placement: ClassPlacement): RejectedPods {
    const last = this.#withoutDevices.get(placement) ?? placement.steps.at(-1);
    const reasons = (last === undefined ? [] : [last])
      .flatMap((step) => step.pools.map((pool) => this.#reasonOf(placement, step, pool)))
      .filter(isRejection);
    // A NodePool is tried for each alternative of the volumes; as in Karpenter, the last reason counts.
    const lastOfPool = new Map(reasons.map((reason) => [reason.nodePool, reason]));
    return { pods: placement.waiting.toReversed(), reasons: [...lastOfPool.values()] };
  }

  #reasonOf(placement: ClassPlacement, step: PlacementStep, pool: NewNodes): NewNodeChoice | PoolRejection {
    const { template } = pool;
    if (!this.#isOpen(placement, step, template))
      return template.remaining === undefined ? reservationsTaken(template) : exceedsLimits(template);
    const result = this.#evaluate(placement, pool);
    if (isRejection(result) || this.#hasReserved(placement, result)) return result;
    return reservationsTaken(template);
  }

  /**
   * Starts from the first step of relaxation for every pod. As in Karpenter, a pod that waits for a reservation is
   * neither relaxed nor offered to NodePools with less weight, and a pod without devices is not relaxed.
   */
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
    // Karpenter's order: existing nodes, then planned nodes with the pods to join, then new nodes.
    if (placeOnExisting(placement, step, this.#state.scratch.blocks) > 0) return true;
    if (needsSharedHost(placement, step) && this.#joinHost(placement, step)) return true;
    const isDecided = step.pools.some(
      (pool) => this.#tryPool(placement, step, pool) || this.#deferred.has(placement),
    );
    // A later pool took or deferred the pod, so the missing devices of an earlier pool must not end
    // relaxation.
    if (isDecided) this.#withoutDevices.delete(placement);
    return isDecided && !this.#deferred.has(placement);
  }

  /** A new node of the pool for the next pod, with devices for its claims; or why there is none. */
  #evaluate(placement: ClassPlacement, pool: NewNodes): NewNodeChoice | PoolRejection {
    const result = pool.evaluate();
    if (placement.devices === undefined || isRejection(result)) return result;
    return this.#hosts.withDevices(placement.devices, placement.size, result);
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

  #tryPool(placement: ClassPlacement, step: PlacementStep, pool: NewNodes): boolean {
    const isShared = needsSharedHost(placement, step);
    if (!this.#isOpen(placement, step, pool.template)) return false;
    if (!isShared && this.#joinSettled(placement, step, pool)) return true;
    const result = this.#evaluate(placement, pool);
    if (isRejection(result)) {
      if (result.failed.includes('devices')) this.#withoutDevices.set(placement, step);
      return false;
    }
    if (!this.#hasReserved(placement, result)) {
      // As in Karpenter, provisioning waits for a reservation, and disruption simulations fall back to other
      // pools.
      if (this.#state.context.options.reservedCapacity?.mode === 'strict')
        this.#deferred.set(placement, step);
      return false;
    }
    const chosen = { placement, step, choice: result };
    if (isShared) this.#beginHost(chosen);
    else this.#putOnNew(chosen);
    return true;
  }

  #joinSettled(placement: ClassPlacement, step: PlacementStep, pool: NewNodes): boolean {
    if (step.keys.length === 0) return false;
    for (const settled of this.#settled.of(pool.template, step.keys)) {
      const result = pool.evaluate(settled);
      if (isRejection(result) || !this.#hasReserved(placement, result)) continue;
      if (this.#isNarrowed(pool, placement, result)) continue;
      this.#putOnNew({ placement, step, choice: result });
      return true;
    }
    return false;
  }

  /** Whether a narrowed node cannot use a reservation that a new node could: then the new node is better (ADR 0012). */
  #isNarrowed(pool: NewNodes, placement: ClassPlacement, settled: NewNodeChoice): boolean {
    const { context, scratch } = this.#state;
    if (context.options.reservedCapacity?.mode !== 'strict' || pool.template.reservedOffers.length === 0)
      return false;
    const open = pool.evaluate();
    if (isRejection(open) || !this.#hasReserved(placement, open)) return false;
    const { size } = placement;
    return losesReservation(scratch.reservations, { ...open, size }, { ...settled, size });
  }

  #isOpen(placement: ClassPlacement, step: PlacementStep, template: NodeTemplate): boolean {
    return this.#given.left(quotaKey(placement, step, template)) >= 1;
  }

  /** Whether the quota for nodes with these requirements allows one more pod. */
  #hasReserved(placement: ClassPlacement, choice: NewNodeChoice): boolean {
    return this.#reservedLeft(placement, choice) >= 1;
  }

  #reservedLeft({ podClass }: ClassPlacement, choice: NewNodeChoice): number {
    if (choice.template.reservedOffers.length === 0) return Number.POSITIVE_INFINITY;
    return this.#given.left(nodesKey(choice.template, choice.requirements, podClass));
  }

  #beginHost(chosen: ChosenNode): void {
    const { placement, step, choice } = chosen;
    this.#give(chosen, 1);
    // Without members, because `SharedHosts.begin` adds the pod as the first.
    const item = this.#newItem(chosen, []);
    if (choice.grant !== undefined) placement.devices?.give(choice.grant.grant);
    this.#settled.add(item);
    this.#hosts.begin(placement, step, item);
  }

  #putOnNew(chosen: ChosenNode): void {
    const { placement, step, choice } = chosen;
    const key = quotaKey(placement, step, choice.template);
    const toPack = this.#given.leftToPack(key);
    const isApart = toPack === 0;
    const left = isApart ? this.#given.left(key) : Math.min(this.#given.left(key), toPack);
    const pods = placement.isFree
      ? Math.min(placement.waiting.length, left, this.#reservedLeft(placement, choice))
      : 1;
    this.#give(chosen, pods);
    const item = isApart ? this.#apartItem(chosen) : this.#itemFor(chosen);
    this.#moveTo(placement, item, pods);
  }

  /** An item that is not packed: its pods get nodes of their own. */
  #apartItem(chosen: ChosenNode): PlacementItem {
    const item = this.#newItem(chosen, membersOf(chosen.placement, chosen.step));
    this.#apart.push(item);
    return item;
  }

  /** Counts pods against the quotas of the pool and of its reservations. */
  #give({ placement, step, choice }: ChosenNode, pods: number): void {
    const { template, requirements } = choice;
    this.#given.add(quotaKey(placement, step, template), pods);
    if (template.reservedOffers.length === 0) return;
    this.#given.add(nodesKey(template, requirements, placement.podClass), pods);
  }

  /** Moves the next pods of the class into an item. */
  #moveTo(placement: ClassPlacement, item: PlacementItem, pods: number): void {
    for (let i = 0; i < pods; i++) {
      const uid = placement.waiting.pop();
      if (uid !== undefined) item.members[0]?.pods.push(uid);
    }
    item.count += pods;
    recordPlacement(
      placement,
      { domains: item.requirements, pods },
      // Which pods share a host is not known before packing.
      ({ filter, isHostname }) => !isHostname && this.#state.counted.areCountedBy(filter, item),
    );
  }

  #itemFor(chosen: ChosenNode): PlacementItem {
    const { placement, step, choice } = chosen;
    const byChoice = this.#itemOf.get(placement) ?? new Map<NewNodeChoice, PlacementItem>();
    this.#itemOf.set(placement, byChoice);
    // By identity: `NewNodes` returns one object for equal domains, so that pods on equal nodes become one
    // item.
    const known = byChoice.get(choice);
    if (known !== undefined) return known;
    const members = membersOf(placement, step);
    // Memoized, because `SpareCapacity` finds the units of an item on a node by the identity of the item.
    const elsewhere = memoized((template: NodeTemplate) => {
      const there = this.#elsewhere(chosen, template);
      if (there === undefined) return undefined;
      return { usesSpareCapacity: true, ...this.#newItem({ placement, step, choice: there }, members) };
    });
    const made = { elsewhere, ...this.#newItem(chosen, members) };
    byChoice.set(choice, made);
    this.#items.push(made);
    this.#settled.add(made);
    return made;
  }

  /** The same pods on a node of another NodePool. Not with alternatives of volumes, as it might use another one. */
  #elsewhere({ placement, step, choice }: ChosenNode, template: NodeTemplate): NewNodeChoice | undefined {
    const [pool, ...others] = step.pools.filter((candidate) => candidate.template === template);
    if (pool === undefined || others.length > 0) return undefined;
    const there = pool.evaluateWith(choice.picks);
    if (isRejection(there)) return undefined;
    return countAlike(this.#state.counted, { placement, step }, [choice, there]) ? there : undefined;
  }

  /** The item that the NodePool would pack for the class. */
  #itemIn(placement: ClassPlacement, step: PlacementStep, pool: NewNodes): PlacementItem | undefined {
    const choice = pool.evaluate();
    if (isRejection(choice)) return undefined;
    return this.#newItem({ placement, step, choice }, membersOf(placement, step));
  }

  #newItem({ placement, step, choice }: ChosenNode, members: ItemMember[]): PlacementItem {
    const { template, request, requirements, mask, grant } = choice;
    return {
      template,
      request,
      requirements,
      firstRequirements: requirements,
      mask,
      size: placement.size,
      members,
      passedOver: this.#passedOver(placement, step, choice),
      isCounted: constrainsOthers(placement),
      isSharedHost: false,
      count: 0,
      ...(grant !== undefined && { devices: grant.devices }),
    };
  }

  #passedOver(
    placement: ClassPlacement,
    step: PlacementStep,
    { template }: NewNodeChoice,
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

/** A class of pods at a step of relaxation, with the new node that can take it. */
interface ChosenNode {
  readonly placement: ClassPlacement;
  readonly step: PlacementStep;
  readonly choice: NewNodeChoice;
}

/** Pods with resource claims are placed on hosts one by one, because devices are allocated per node. */
function needsSharedHost({ devices }: ClassPlacement, step: PlacementStep): boolean {
  return SharedHosts.concerns(step) || devices !== undefined;
}

function quotaKey({ podClass }: ClassPlacement, { index }: PlacementStep, template: NodeTemplate): QuotaKey {
  return { template, podClass, step: index };
}

function membersOf({ podClass }: ClassPlacement, { index, hostGroups }: PlacementStep): ItemMember[] {
  return [{ podClass, step: index, hostGroups, pods: [] }];
}
