import { maxListedNames, provisioningTuning } from '../api/index.ts';
import { CodedError } from '../errors/index.ts';
import { unmetMinValuesText } from '../provisioning/index.ts';
import {
  isVirtualPod,
  type NodeView,
  type Plan,
  type PlannedNode,
  type PlanOptions,
  type PodView,
  type Removal,
  type RemovedAmounts,
  Simulation,
} from '../scheduling/index.ts';
import type { ClusterSnapshot, PodState } from '../state/index.ts';
import { memoized } from '../values/index.ts';
import { inSteps, type Steps } from '../yielding/index.ts';
import type { Candidate } from './candidates/candidate.ts';
import { isWithinConsolidateAfter } from './candidates/consolidatable.ts';
import { PriceBook } from './consolidation/price-book.ts';

export interface SimulationOptions {
  readonly plan: PlanOptions;
  /** Pods that every simulation places besides moved ones: pending pods, pods of deleting nodes, virtual pods. */
  readonly waiting?: readonly PodView[];
  /** Adds the default topology spread constraints of the cluster's kube-scheduler to pods. */
  readonly withSpread?: (pods: readonly PodView[]) => readonly PodView[];
  /** Names of nodes that receive moved pods only if there is no room elsewhere, the last choice last. */
  readonly filledLast?: readonly string[];
}

/** A pod that would not be scheduled. */
export interface PodFailure {
  /** `namespace/name`. */
  readonly pod: string;
  readonly message: string;
}

/** The result of simulating a cluster without some nodes. */
export interface RemovalOutcome {
  readonly removal: Removal;
  readonly plan: Plan;
  /** Pods that are pending already are not included: removing nodes makes them no worse off. */
  readonly failures: readonly PodFailure[];
}

/**
 * Where moved pods may go. `settled` leaves out nodes within `consolidateAfter` of their last pod event, as Karpenter's
 * consolidation does: pods that could stay where they are must not restart that time. Pending pods may go there.
 */
export type Destinations = 'settled' | 'all';

interface SimulationParts {
  readonly simulation: Simulation;
  readonly snapshot: ClusterSnapshot;
  readonly options: SimulationOptions;
  readonly podsOf: (candidate: Candidate) => readonly PodView[];
}

/**
 * Simulates the cluster without some nodes. `settle` applies a removal for good, so that each command is found in the
 * cluster as it will be after the commands before it (ADR 0025).
 */
export class ClusterSimulation {
  readonly #simulation: Simulation;
  readonly #snapshot: ClusterSnapshot;
  readonly #options: SimulationOptions;
  /** Pods of a candidate that would move; the same objects in every removal, by which the simulation knows them. */
  readonly #podsOf: (candidate: Candidate) => readonly PodView[];
  readonly #requestedBy = memoized(({ movable }: Candidate) =>
    this.#simulation.sumOf(movable.map(({ requests }) => requests)),
  );
  readonly #pending: ReadonlySet<string>;
  readonly #moving: ReadonlySet<string>;
  /** Nodes that moved pods must not depend on, because they may never initialize. */
  readonly #uninitialized: ReadonlyMap<string, string>;
  /** `namespace/name` of pods by uid, for messages. */
  readonly #names: Map<string, string>;
  /** Only with minValuesPolicy Strict, where NodeClaims must keep the variety that pools require. */
  readonly #prices: PriceBook | undefined;
  /** Pods that settled removals moved to a node, by node name: they move on if that node is removed too. */
  readonly #received = new Map<string, readonly PodView[]>();
  readonly #avoided = new Set<string>();
  #newNodesForPending = 0;

  private constructor({ simulation, snapshot, options, podsOf }: SimulationParts) {
    const { plan } = options;
    this.#simulation = simulation;
    this.#snapshot = snapshot;
    this.#options = options;
    this.#podsOf = podsOf;
    this.#prices =
      plan.minValuesPolicy === 'Strict' ? new PriceBook(snapshot.instanceTypes, plan) : undefined;
    const { waiting } = simulation;
    this.#moving = new Set(snapshot.movingPods.map(({ metadata }) => metadata.uid));
    this.#pending = new Set(
      waiting
        .filter((pod) => isVirtualPod(pod) || !this.#moving.has(pod.metadata.uid))
        .map(({ metadata }) => metadata.uid),
    );
    this.#uninitialized = new Map(
      snapshot.nodes
        .filter(isStarting)
        .map(({ name, nodeClaim }) => [name, `nodeclaim/${nodeClaim}, node/${name}`]),
    );
    this.#names = new Map(waiting.map((pod) => [pod.metadata.uid, keyOf(pod)]));
  }

  static *of(snapshot: ClusterSnapshot, options: SimulationOptions): Steps<ClusterSimulation> {
    const { plan, waiting = snapshot.pods, withSpread = (pods) => pods, filledLast = [] } = options;
    // Pods of candidates are added later, but the resources that a simulation compares are fixed when it is
    // made.
    const resources = yield* resourcesOf(snapshot);
    const refusing = recentlyChangedNodes(snapshot);
    yield;
    const simulation = yield* Simulation.of({
      snapshot: { ...snapshot, pods: waiting },
      options: plan,
      resources,
      refusing,
      last: filledLast,
    });
    const podsOf = memoized(({ movable }: Candidate) => withSpread(movable.map(({ pod }) => pod)));
    const created = new ClusterSimulation({ simulation, snapshot, options, podsOf });
    yield* created.#dropUnschedulable();
    return created;
  }

  /** The same cluster, in which other removals can be settled; much cheaper than another simulation of it. */
  copy(): ClusterSimulation {
    const copied = new ClusterSimulation({
      simulation: this.#simulation.copy(),
      snapshot: this.#snapshot,
      options: this.#options,
      podsOf: this.#podsOf,
    });
    for (const [node, pods] of this.#received) copied.#received.set(node, pods);
    for (const [uid, name] of this.#names) copied.#names.set(uid, name);
    copied.avoid(this.#avoided);
    copied.#newNodesForPending = this.#newNodesForPending;
    return copied;
  }

  /** Keeps moved pods away from the named nodes, which stay for now and are removed next. */
  avoid(nodes: Iterable<string>): void {
    for (const name of nodes) this.#avoided.add(name);
  }

  /** Number of nodes that a plan creates for pending pods, whatever is removed. */
  get newNodesForPending(): number {
    return this.#newNodesForPending;
  }

  /**
   * Simulates removing the candidates on top of what is settled. With `wantsOneNode` the planner tries again for a
   * single new node if the cheapest plan has several, because a consolidation may create only one. Throws
   * `no-usable-node-pool` when no NodePool is ready, since pods could not be moved anywhere.
   */
  *without(
    candidates: readonly Candidate[],
    destinations: Destinations = 'settled',
    wantsOneNode = destinations === 'settled',
  ): Steps<RemovalOutcome> {
    if (!this.#simulation.hasPools)
      throw new CodedError(
        'no-usable-node-pool',
        'no nodepools found; without a ready NodePool no pod can be moved',
      );
    const own = candidates.flatMap((candidate) => this.#podsOf(candidate));
    for (const pod of own) this.#names.set(pod.metadata.uid, keyOf(pod));
    const pods = [...own, ...this.#receivedBy(candidates)];
    const removal: Removal = {
      nodes: new Set(candidates.map(({ name }) => name)),
      pods,
      mayGoAnywhere: destinations === 'all',
      avoided: this.#avoided,
      wantsOneNode,
    };
    const plan = yield* this.#simulation.without(removal);
    return { removal, plan, failures: this.#failures(plan) };
  }

  /** Quick check by resource amounts alone whether other nodes and one new node could hold the pods. */
  mayFit(candidates: readonly Candidate[]): boolean {
    return this.#simulation.mayFit(this.#removedAmounts(candidates));
  }

  /** Quick lower bound of what new nodes would cost per hour without the candidates. */
  leastPrice(candidates: readonly Candidate[]): number {
    return this.#simulation.leastPrice(this.#removedAmounts(candidates));
  }

  /** Lower bound of the hourly price of nodes for the pods that this plan puts on new nodes. */
  leastPriceOn({ removal, plan }: Pick<RemovalOutcome, 'removal' | 'plan'>): number {
    const onNewNodes = new Set(plan.newNodes.flatMap(({ pods }) => pods));
    const pods = removal.pods.filter(({ metadata }) => onNewNodes.has(metadata.uid));
    return this.#simulation.worthOf(this.#simulation.requestedBy(pods));
  }

  /** What the pods of a candidate would cost per hour on a node that they fill. */
  worthOf(candidate: Candidate): number {
    return this.#simulation.worthOf(this.#requestedBy(candidate));
  }

  #removedAmounts(candidates: readonly Candidate[]): RemovedAmounts {
    return {
      nodes: new Set(candidates.map(({ name }) => name)),
      requested: [
        ...candidates.map((candidate) => this.#requestedBy(candidate)),
        this.#simulation.requestedBy(this.#receivedBy(candidates)),
      ],
    };
  }

  /** Whether a settled removal moves pods to this node. */
  hasReceived({ name }: Pick<Candidate, 'name'>): boolean {
    return this.#received.has(name);
  }

  /** Applies the removal to the simulated cluster, so that later simulations build on it. */
  *settle({ removal, plan }: Pick<RemovalOutcome, 'removal' | 'plan'>): Steps<void> {
    // Pods that these nodes had received are part of the removal (`without`) and move on with it.
    for (const name of removal.nodes) this.#received.delete(name);
    const moved = new Map(removal.pods.map((pod) => [pod.metadata.uid, pod]));
    for (const { node, pods } of plan.placements) {
      const coming = pods.flatMap((uid) => moved.get(uid) ?? []);
      if (coming.length > 0) this.#received.set(node, [...(this.#received.get(node) ?? []), ...coming]);
    }
    yield* this.#simulation.settle(removal, plan);
  }

  #receivedBy(candidates: readonly Candidate[]): readonly PodView[] {
    return candidates.flatMap(({ name }) => this.#received.get(name) ?? []);
  }

  /**
   * Drops pending pods that are unschedulable even with all nodes present, so that they are not tried in
   * every simulation.
   */
  *#dropUnschedulable(): Steps<void> {
    if (this.#simulation.waiting.length === 0) return;
    const plan = yield* this.#simulation.without({ nodes: new Set(), pods: [], mayGoAnywhere: true });
    // Only pending ones: as in Karpenter, a pod of a deleting node that has no place makes every command
    // fail.
    const unschedulable = plan.rejections.map(({ pod }) => pod).filter((uid) => this.#pending.has(uid));
    this.#simulation.giveUp(new Set(unschedulable));
    this.#newNodesForPending = plan.newNodes.length;
  }

  #failures({ rejections, placements, newNodes }: Plan): readonly PodFailure[] {
    const rejected = rejections.map(({ pod, message }) => ({ uid: pod, message }));
    const misplaced = placements.flatMap(({ node, pods }) => {
      const where = this.#uninitialized.get(node);
      if (where === undefined) return [];
      const message = `would schedule against uninitialized ${where}`;
      // Pods of nodes that are being deleted already have to go somewhere in any case.
      return pods.filter((uid) => !this.#moving.has(uid)).map((uid) => ({ uid, message }));
    });
    return [...rejected, ...misplaced, ...newNodes.flatMap((planned) => this.#failingMinValues(planned))]
      .filter(({ uid }) => !this.#pending.has(uid))
      .map(({ uid, message }) => ({ pod: this.#names.get(uid) ?? uid, message }));
  }

  /**
   * Pods of a new node whose NodeClaim could not be created: only its cheapest instance types are listed on
   * it, and those do not satisfy minValues.
   */
  #failingMinValues(planned: PlannedNode) {
    const { instanceTypes, nodePool, pods, requirements } = planned;
    if (this.#prices === undefined || instanceTypes.length < provisioningTuning.maxInstanceTypesPerNodeClaim)
      return [];
    if (requirements.every(({ minValues }) => minValues === undefined)) return [];
    const replacement = this.#prices.replacement(planned);
    const { shortfalls } = this.#prices.minValues(replacement, replacement.types);
    if (shortfalls.length === 0) return [];
    const message = unmetMinValuesText(shortfalls, nodePool);
    return pods.map((uid) => ({ uid, message }));
  }
}

/** Whether a node has not initialized yet, and may never do so: no moved pod may depend on it. */
export function isStarting({ nodeClaim, initialized }: Pick<NodeView, 'nodeClaim' | 'initialized'>): boolean {
  return nodeClaim !== undefined && !initialized;
}

/** The event message `Not all pods would schedule, ...`: five pods and, from five on, the number of others, even 0. */
export function failuresText(failures: readonly PodFailure[]): string {
  const shown = failures.slice(0, maxListedNames);
  const listed = shown.map(({ pod, message }) => `${pod} => ${message} `).join('');
  const others = failures.length - maxListedNames;
  return `Not all pods would schedule, ${listed}${others >= 0 ? ` and ${others} other(s)` : ''}`;
}

function keyOf({ metadata }: PodView): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Names of all requested resources. Pods with equal requests share one list, so only a few lists are read. */
function* resourcesOf({ nodeStates }: ClusterSnapshot): Steps<ReadonlySet<string>> {
  const lists = new Set<PodState['requests']>();
  yield* inSteps(nodeStates, ({ pods }) => {
    for (const { requests } of pods) lists.add(requests);
  });
  return new Set([...lists].flatMap((requests) => Object.keys(requests)));
}

function recentlyChangedNodes({ nodeStates, nodePools, at }: ClusterSnapshot): ReadonlySet<string> {
  const pools = new Map(nodePools.map((pool) => [pool.metadata.name, pool]));
  const recentlyChanged = nodeStates.filter(({ nodeClaim, view }) => {
    const pool = pools.get(view.nodePool ?? '');
    return nodeClaim !== undefined && pool !== undefined && isWithinConsolidateAfter(nodeClaim, pool, at);
  });
  return new Set(recentlyChanged.map(({ view }) => view.name));
}
