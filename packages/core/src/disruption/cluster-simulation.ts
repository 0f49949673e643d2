import { maxListedNames, provisioningTuning } from '../api/index.ts';
import { CodedError } from '../errors/index.ts';
import { lostVarietyText } from '../provisioning/index.ts';
import {
  isVirtualPod,
  type Plan,
  type PlannedNode,
  type PlanOptions,
  type PlanSignal,
  type PodView,
  type Removal,
  Simulation,
} from '../scheduling/index.ts';
import type { ClusterSnapshot } from '../state/index.ts';
import type { Candidate } from './candidate.ts';
import { isSettling } from './consolidatable.ts';
import { PriceBook } from './price-book.ts';

export interface SimulationOptions {
  readonly plan: PlanOptions;
  /** Pods to be placed in any case, as a plan takes them: pending ones, those of deleting nodes, virtual ones. */
  readonly waiting?: readonly PodView[];
  /** Lends pods the topology spread that the kube-scheduler of the cluster gives them. */
  readonly withSpread?: (pods: readonly PodView[]) => readonly PodView[];
  /** Names of nodes that moved pods go to only if there is no room elsewhere, the last resort last. */
  readonly filledLast?: readonly string[];
}

/** A pod that would find no place. */
export interface PodFailure {
  /** `namespace/name`. */
  readonly pod: string;
  readonly message: string;
}

/** What would become of a cluster without some nodes. */
export interface Outcome {
  readonly removal: Removal;
  readonly plan: Plan;
  /** Pods that wait already are not among them: they are no worse off. */
  readonly failures: readonly PodFailure[];
}

/** What `moved` pods may do: `settled` nodes are those that their pools do not want left alone. */
export type Destinations = 'settled' | 'all';

/** The cluster as it would be, with everything decided so far carried out. */
export class ClusterSimulation {
  readonly #simulation: Simulation;
  readonly #withSpread: (pods: readonly PodView[]) => readonly PodView[];
  readonly #pending: ReadonlySet<string>;
  readonly #moving: ReadonlySet<string>;
  /** Nodes that pods are not to be moved to, because they may never be. */
  readonly #uninitialized: ReadonlyMap<string, string>;
  readonly #names: Map<string, string>;
  /** Absent where pools do not insist on the variety that they ask for. */
  readonly #prices: PriceBook | undefined;
  /** Pods that settled removals have moved to a node, by its name: they go on when that one is removed too. */
  readonly #received = new Map<string, readonly PodView[]>();
  #newNodesAnyway = 0;

  private constructor(
    simulation: Simulation,
    snapshot: ClusterSnapshot,
    { plan, withSpread = (pods) => pods }: SimulationOptions,
  ) {
    this.#simulation = simulation;
    this.#withSpread = withSpread;
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
        .filter(({ nodeClaim, initialized }) => nodeClaim !== undefined && !initialized)
        .map(({ name, nodeClaim }) => [name, `nodeclaim/${nodeClaim}, node/${name}`]),
    );
    this.#names = new Map(waiting.map((pod) => [pod.metadata.uid, keyOf(pod)]));
  }

  static *of(
    snapshot: ClusterSnapshot,
    options: SimulationOptions,
  ): Generator<void, ClusterSimulation, PlanSignal> {
    const { plan, waiting = snapshot.pods, filledLast = [] } = options;
    const resources = resourcesOf(snapshot);
    yield;
    const refusing = settlingNodes(snapshot);
    yield;
    const simulation = yield* Simulation.of({
      snapshot: { ...snapshot, pods: waiting },
      options: plan,
      resources,
      refusing,
      last: filledLast,
    });
    const made = new ClusterSimulation(simulation, snapshot, options);
    yield* made.#dropHopeless();
    return made;
  }

  /** How many nodes have to be made for pods that wait, whatever is removed. */
  get newNodesAnyway(): number {
    return this.#newNodesAnyway;
  }

  *without(
    candidates: readonly Candidate[],
    destinations: Destinations = 'settled',
  ): Generator<void, Outcome, PlanSignal> {
    if (!this.#simulation.hasPools)
      throw new CodedError(
        'no-usable-node-pool',
        'no nodepools found; without a ready NodePool no pod can be moved',
      );
    const own = this.#withSpread(candidates.flatMap(({ movable }) => movable.map(({ pod }) => pod)));
    for (const pod of own) this.#names.set(pod.metadata.uid, keyOf(pod));
    const pods = [...own, ...this.#receivedBy(candidates)];
    const removal: Removal = {
      nodes: new Set(candidates.map(({ name }) => name)),
      pods,
      mayGoAnywhere: destinations === 'all',
      wantsOneNode: destinations === 'settled',
    };
    const plan = yield* this.#simulation.without(removal);
    return { removal, plan, failures: this.#failures(plan) };
  }

  /** Whether room on other nodes and one new machine could do for the pods, as far as amounts tell; cheap to ask. */
  mayFit(candidates: readonly Candidate[]): boolean {
    return this.#simulation.mayFit({
      nodes: new Set(candidates.map(({ name }) => name)),
      pods: [
        ...candidates.flatMap(({ movable }) => movable.map(({ pod }) => pod)),
        ...this.#receivedBy(candidates),
      ],
    });
  }

  /** Whether pods of a node that was removed are to go to this one. */
  hasReceived({ name }: Pick<Candidate, 'name'>): boolean {
    return this.#received.has(name);
  }

  /** From now on the removal has happened. */
  *settle({ removal, plan }: Pick<Outcome, 'removal' | 'plan'>): Generator<void, void, PlanSignal> {
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

  /** Pods that have no place even while all nodes are there need not be tried again each time. */
  *#dropHopeless(): Generator<void, void, PlanSignal> {
    if (this.#simulation.waiting.length === 0) return;
    const plan = yield* this.#simulation.without({ nodes: new Set(), pods: [], mayGoAnywhere: true });
    const hopeless = plan.rejections.map(({ pod }) => pod).filter((uid) => this.#pending.has(uid));
    this.#simulation.giveUp(new Set(hopeless));
    this.#newNodesAnyway = plan.newNodes.length;
  }

  #failures({ rejections, placements, newNodes }: Plan): readonly PodFailure[] {
    const rejected = rejections.map(({ pod, message }) => ({ uid: pod, message }));
    const misplaced = placements.flatMap(({ node, pods }) => {
      const where = this.#uninitialized.get(node);
      if (where === undefined) return [];
      const message = `would schedule against uninitialized ${where}`;
      return pods.filter((uid) => !this.#moving.has(uid)).map((uid) => ({ uid, message }));
    });
    return [...rejected, ...misplaced, ...newNodes.flatMap((planned) => this.#unvaried(planned))]
      .filter(({ uid }) => !this.#pending.has(uid))
      .map(({ uid, message }) => ({ pod: this.#names.get(uid) ?? uid, message }));
  }

  /** Pods of a node that cannot be asked for: only its cheapest types go on the NodeClaim, and those are too much alike. */
  #unvaried(planned: PlannedNode) {
    const { instanceTypes, nodePool, pods, requirements } = planned;
    if (this.#prices === undefined || instanceTypes.length < provisioningTuning.maxInstanceTypesPerNodeClaim)
      return [];
    if (requirements.every(({ minValues }) => minValues === undefined)) return [];
    const replacement = this.#prices.replacement(planned);
    const { shortfalls } = this.#prices.minValues(replacement, replacement.types);
    if (shortfalls.length === 0) return [];
    const message = lostVarietyText(shortfalls, nodePool);
    return pods.map((uid) => ({ uid, message }));
  }
}

/** `Not all pods would schedule, …`, as events say it. */
export function failuresText(failures: readonly PodFailure[]): string {
  const shown = failures.slice(0, maxListedNames);
  const listed = shown.map(({ pod, message }) => `${pod} => ${message} `).join('');
  const others = failures.length - maxListedNames;
  return `Not all pods would schedule, ${listed}${others >= 0 ? ` and ${others} other(s)` : ''}`;
}

function keyOf({ metadata }: PodView): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function resourcesOf({ nodeStates }: ClusterSnapshot): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { pods } of nodeStates)
    for (const { requests } of pods) for (const name in requests) names.add(name);
  return names;
}

function settlingNodes({ nodeStates, nodePools, at }: ClusterSnapshot): ReadonlySet<string> {
  const pools = new Map(nodePools.map((pool) => [pool.metadata.name, pool]));
  const settling = nodeStates.filter(({ nodeClaim, view }) => {
    const pool = pools.get(view.nodePool ?? '');
    return nodeClaim !== undefined && pool !== undefined && isSettling(nodeClaim, pool, at);
  });
  return new Set(settling.map(({ view }) => view.name));
}
