import {
  type Labels,
  maxResources,
  parseResourceList,
  podRequests,
  type QuantityTexts,
  type ResourceList,
  resourceTexts,
} from '../values/index.ts';
import { inSteps, type Steps } from '../yielding/index.ts';
import { cheapestPolicy } from './context/attempt-policy.ts';
import type { BoundPodIndex } from './context/bound-pod-index.ts';
import { type PlanContext, planContextSteps } from './context/plan-context.ts';
import { isUsable } from './context/plan-pools.ts';
import { newScratch } from './context/plan-scratch.ts';
import { addTo } from './context/resource-axes.ts';
import { type ExistingNode, emptiedNode, emptyAgain, existingNodes } from './existing-nodes/existing-node.ts';
import { type FillableNode, FillableNodes, fillableNode } from './existing-nodes/fillable-nodes.ts';
import type { NodeTemplate } from './instance-types/node-template.ts';
import { excludesTypes, LaunchBounds } from './limits/launch-bounds.ts';
import { observedPackOnOne } from './packing/pack-on-one.ts';
import { mayDivideOtherwise, planWithin } from './plan.ts';
import type { Plan, PlannedNode, PlanOptions } from './plan-result.ts';
import { SimulatedPods } from './pods/simulated-pods.ts';
import type { BoundPodView, NodeView, PodView, Snapshot } from './snapshot.ts';
import { attachVolumes, volumesByDriver } from './volumes/volume-limits.ts';

export interface SimulationInputs {
  /** Its `pods` are placed in every plan, whatever is removed. */
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
  /** Names of the resources that pods on its nodes request. */
  readonly resources: Iterable<string>;
  /** Names of nodes that take no pods which consolidation moves (nodes within `consolidateAfter`). */
  readonly refusing: ReadonlySet<string>;
  /** Names of initialized nodes that are filled after all other initialized ones, in this order. */
  readonly last?: readonly string[];
}

/** Nodes that are removed in a simulation. */
export interface Removal {
  /** By name. */
  readonly nodes: ReadonlySet<string>;
  /** Pods on these nodes that have to move. */
  readonly pods: readonly PodView[];
  /** Whether the pods may also go to the nodes of `refusing`, because the removed nodes have to go in any case. */
  readonly mayGoAnywhere?: boolean;
  /** Names of nodes that stay but take no pods, because they are removed next. */
  readonly avoided?: ReadonlySet<string>;
  /** Prefers one new node to several that cost less: consolidation may replace nodes by one node only. */
  readonly wantsOneNode?: boolean;
}

/** A removal by amounts only, for bounds, which take a thousandth of the time of a plan. */
export interface RemovedAmounts {
  /** By name. */
  readonly nodes: ReadonlySet<string>;
  /** What pods that have to move request. */
  readonly requested: readonly Float64Array[];
}

/**
 * Simulates scheduling for one cluster many times, each time without some of its nodes. The context is
 * compiled once, as a removal changes little of it: a simulation takes milliseconds where a plan takes a
 * hundred times longer. A removal that was decided can be settled; later simulations build on it.
 */
export class Simulation {
  readonly #context: PlanContext;
  readonly #inputs: SimulationInputs;
  /** Those of the snapshot, and pods of settled removals on the nodes of their plan. */
  #boundPods: BoundPodIndex;
  readonly #pods: SimulatedPods;
  #fillable: FillableNodes;
  #views: readonly NodeView[];
  #waiting: readonly PodView[];
  #templates: readonly NodeTemplate[];
  readonly #bounds: LaunchBounds;
  /** Pods with resource claims that settled removals moved: their devices are on other nodes now. */
  readonly #claimants: BoundPodView[] = [];
  #settled = 0;

  private constructor(
    context: PlanContext,
    inputs: SimulationInputs,
    { nodes, pods, bounds }: SimulationParts,
  ) {
    const { snapshot } = inputs;
    this.#context = context;
    this.#inputs = inputs;
    this.#pods = pods;
    this.#boundPods = context.cluster.boundPods.copy();
    this.#fillable = new FillableNodes(nodes, context.axes.vector(undefined));
    this.#views = snapshot.nodes;
    this.#waiting = snapshot.pods;
    this.#templates = context.pools.templates;
    this.#bounds = bounds;
  }

  static *of(inputs: SimulationInputs): Steps<Simulation> {
    const { snapshot, options, resources } = inputs;
    const names = new Set(resources);
    for (const pod of snapshot.pods) for (const name of Object.keys(podRequests(pod))) names.add(name);
    const context = yield* planContextSteps({ ...snapshot, pods: [] }, options, names);
    const nodes = yield* inSteps(inFillingOrder(context, inputs), fillableNode, 'light');
    const bounds = yield* LaunchBounds.of(context);
    return new Simulation(context, inputs, { nodes, pods: new SimulatedPods(context.axes), bounds });
  }

  /** A simulation of the same cluster in which other removals can be settled. */
  copy(): Simulation {
    const nodes = this.#fillable.all.map(({ node }) => fillableNode(node));
    const parts = { nodes, pods: this.#pods, bounds: this.#bounds };
    const copied = new Simulation(this.#context, this.#inputs, parts);
    copied.#boundPods = this.#boundPods.copy();
    copied.#views = this.#views;
    copied.#waiting = this.#waiting;
    copied.#templates = this.#templates;
    copied.#claimants.push(...this.#claimants);
    copied.#settled = this.#settled;
    return copied;
  }

  /** Whether any NodePool could create a node. */
  get hasPools(): boolean {
    return this.#templates.length > 0;
  }

  /** Pods that every simulation places, besides those of removed nodes. */
  get waiting(): readonly PodView[] {
    return this.#waiting;
  }

  /** Leaves pods with these uids out of later simulations, such as pods that no removal makes schedulable. */
  giveUp(pods: ReadonlySet<string>): void {
    this.#waiting = this.#waiting.filter(({ metadata }) => !pods.has(metadata.uid));
  }

  /** The sum of requests, for bounds. */
  sumOf(requests: readonly ResourceList[]): Float64Array {
    return this.#sum(requests.map((each) => this.#pods.amountsOf(each)));
  }

  /** What the pods request together. */
  requestedBy(pods: readonly PodView[]): Float64Array {
    return this.#sum(pods.map((pod) => this.#pods.sizeOf(this.#pods.movedClassOf(pod))));
  }

  /**
   * Whether the other nodes and one new node have as much room as the pods request together. If not, no plan with at
   * most one new node places them; if so, the plan may still fail.
   */
  mayFit({ nodes, requested }: RemovedAmounts): boolean {
    const room = this.#fillable.roomExcept(nodes);
    addTo(room, this.#bounds.largestRoom);
    return this.#sum(requested).every((amount, axis) => amount <= (room[axis] ?? 0));
  }

  /** A lower bound of the price of new nodes for the pods, in dollars an hour. */
  leastPrice({ nodes, requested }: RemovedAmounts): number {
    const missing = this.#sum(requested);
    addTo(missing, this.#fillable.roomExcept(nodes), -1);
    return this.worthOf(missing);
  }

  /** A lower bound of the price of nodes with these amounts, in dollars an hour: the most expensive single resource. */
  worthOf(amounts: Float64Array): number {
    return Math.max(0, ...this.#bounds.unitPrices.map((price, axis) => price * (amounts[axis] ?? 0)));
  }

  #sum(vectors: readonly Float64Array[]): Float64Array {
    const sum = this.#context.axes.vector(undefined);
    for (const vector of vectors) addTo(sum, vector);
    return sum;
  }

  /**
   * Plans for all pods without the removed nodes. The first plan still counts these nodes against limits; if it needs
   * new nodes or rejects pods, and limits that bind become free, a second one does not.
   */
  *without(removal: Removal): Steps<Plan> {
    const unfreed = yield* this.#planOn(removal, this.#templates);
    if (unfreed.newNodes.length === 0 && unfreed.rejections.length === 0) return unfreed;
    const freed = this.#poolsWithFreedLimits(removal);
    if (freed.size === 0) return unfreed;
    return yield* this.#planOn(removal, yield* this.#templatesWithout(removal, freed));
  }

  /** Where one new node is preferred, that is tried first, because it takes less time than packing. */
  *#planOn(removal: Removal, templates: readonly NodeTemplate[]): Steps<Plan> {
    if (removal.wantsOneNode !== true) return yield* this.#plan(removal, templates);
    const { packOnOne, isUsed } = observedPackOnOne();
    const single = yield* this.#plan(removal, templates, { ...cheapestPolicy, packOnOne });
    if (single.newNodes.length < 2 && single.rejections.length === 0) return single;
    // Unused, it changes the plan only where pods could be divided otherwise among NodePools.
    if (!isUsed() && !mayDivideOtherwise(templates)) return single;
    const cheapest = yield* this.#plan(removal, templates);
    const isAsGood = single.newNodes.length === 1 && single.rejections.length <= cheapest.rejections.length;
    return isAsGood && cheapest.newNodes.length > 1 ? single : cheapest;
  }

  /**
   * Applies a removal that was decided: later simulations see its pods on the nodes of its plan. New nodes are in
   * flight and take no other pods, because their instance types are not known yet.
   */
  *settle({ nodes, pods }: Removal, { placements, newNodes }: Plan): Steps<void> {
    const byUid = new Map([...this.#waiting, ...pods].map((pod) => [pod.metadata.uid, pod]));
    const moved = new Set(pods.map(({ metadata }) => metadata.uid));
    const movedOf = (uids: readonly string[]) =>
      uids.flatMap((uid) => (moved.has(uid) ? (byUid.get(uid) ?? []) : []));
    const coming = new Map(placements.map(({ node, pods: uids }) => [node, movedOf(uids)]));
    const made: LaunchedNode[] = [];
    for (const planned of newNodes) made.push(yield* this.#launched(planned));
    this.#views = [...this.#views.filter(({ name }) => !nodes.has(name)), ...made.map(({ view }) => view)];
    const staying = this.#fillable.all.filter(({ node }) => !nodes.has(node.name));
    const fillable = [
      ...staying.map((each) => this.#filled(each, coming.get(each.node.name) ?? noPods)),
      ...made.flatMap((each) => each.nodes.map(fillableNode)),
    ];
    this.#fillable = new FillableNodes(fillable, this.#context.axes.vector(undefined));
    const launched = new Set(newNodes.flatMap(({ pods: uids }) => uids));
    for (const { view, uids } of made) for (const uid of uids) this.#bind(byUid.get(uid), view.name);
    this.giveUp(launched);
    if (made.length > 0 && this.#templates.some(({ remaining }) => remaining !== undefined))
      this.#templates = (yield* this.#context.pools.templatesBeside(this.#views)).filter(isUsable);
  }

  *#plan(
    { nodes: gone, pods, mayGoAnywhere = false, avoided = none }: Removal,
    templates: readonly NodeTemplate[],
    policy = cheapestPolicy,
  ): Steps<Plan> {
    const fillable = this.#fillable;
    const { nodes, scratches } = fillable.except(avoided.size === 0 ? gone : new Set([...gone, ...avoided]));
    const nodeNamed = (name: string) => (gone.has(name) ? undefined : fillable.named(name));
    const toPlace = { waiting: this.#waiting, moved: pods, mayGoAnywhere };
    const classes = yield* this.#pods.classesOf(toPlace, this.#boundPods.withAntiAffinity);
    const context = {
      ...this.#contextOn({ nodes, nodeNamed }, templates),
      snapshot: this.#snapshotWith(pods),
      pods: { classes, sizes: classes.map((podClass) => this.#pods.sizeOf(podClass)) },
    };
    const scratch = newScratch(context, scratches);
    try {
      const { plan } = yield* planWithin(context, policy, scratch);
      // The lists of pods belong to scratch nodes, which the next simulation fills again.
      const placements = plan.placements.map(({ node, pods: uids }) => ({ node, pods: [...uids] }));
      return { ...plan, placements };
    } finally {
      for (const { node, scratch: filled } of fillable.all)
        if (filled.placed.length > 0) emptyAgain(filled, node);
    }
  }

  #contextOn(
    nodes: Pick<PlanContext['cluster'], 'nodes' | 'nodeNamed'>,
    templates: readonly NodeTemplate[],
  ): PlanContext {
    const { cluster, pools } = this.#context;
    return {
      ...this.#context,
      cluster: { ...cluster, ...nodes, boundPods: this.#boundPods },
      pools: { ...pools, templates },
    };
  }

  #snapshotWith(pods: readonly PodView[]): Snapshot {
    const { snapshot } = this.#context;
    const boundPods =
      this.#claimants.length === 0 ? snapshot.boundPods : [...snapshot.boundPods, ...this.#claimants];
    return { ...snapshot, pods: [...this.#waiting, ...pods], boundPods };
  }

  /** Pools that lose nodes and whose limits exclude some of their types. */
  #poolsWithFreedLimits({ nodes }: Removal): ReadonlySet<string> {
    const short = new Set(this.#templates.filter(excludesTypes).map(({ name }) => name));
    if (short.size === 0) return short;
    const losing = this.#views.filter(({ name }) => nodes.has(name)).map(({ nodePool }) => nodePool ?? '');
    return new Set(losing.filter((name) => short.has(name)));
  }

  *#templatesWithout({ nodes }: Removal, pools: ReadonlySet<string>): Steps<readonly NodeTemplate[]> {
    const left = this.#views.filter(({ name }) => !nodes.has(name));
    const made = yield* this.#context.pools.templatesBeside(left, ({ metadata }) => pools.has(metadata.name));
    const fresh = new Map(made.map((template) => [template.name, template]));
    const known = new Map(this.#templates.map((template) => [template.name, template]));
    return this.#context.pools.domainSources
      .flatMap(({ name }) => fresh.get(name) ?? known.get(name) ?? [])
      .filter(isUsable);
  }

  /** Nodes that get no pod stay the same object: in a large cluster thousands of removals are settled. */
  #filled(before: FillableNode, coming: readonly PodView[]): FillableNode {
    if (coming.length === 0) return before;
    const filled = emptiedNode(before.node);
    for (const pod of coming) {
      const podClass = this.#pods.movedClassOf(pod);
      addTo(filled.room, this.#pods.sizeOf(podClass), -1);
      filled.ports.push(...podClass.hostPorts);
      this.#bind(pod, filled.name);
    }
    attachVolumes(filled.volumes, volumesByDriver(this.#context.cluster.storage, coming));
    return fillableNode(filled);
  }

  #bind(pod: PodView | undefined, nodeName: string): void {
    if (pod === undefined) return;
    const bound = { ...pod, nodeName };
    this.#boundPods.add(bound);
    if (pod.spec.resourceClaims !== undefined) this.#claimants.push(bound);
  }

  *#launched(planned: PlannedNode): Steps<LaunchedNode> {
    this.#settled += 1;
    const name = `${planned.nodePool}/${this.#settled}`;
    const view: NodeView = {
      name,
      nodePool: planned.nodePool,
      labels: certainLabels(planned),
      taints: [],
      initialized: false,
      deleting: false,
      capacity: this.#largest(planned),
      allocatable: {},
      podRequests: {},
      daemonRequests: {},
    };
    const { vocabulary, axes, cluster } = this.#context;
    const inputs = { vocabulary, axes, daemons: [], storage: cluster.storage };
    const nodes = yield* existingNodes(inputs, { nodes: [view], boundPods: [] });
    return { view, nodes, uids: planned.pods };
  }

  /** The largest capacity of its possible types, by resource: as in Karpenter, that counts against limits. */
  #largest({ nodePool, instanceTypes }: PlannedNode): QuantityTexts {
    const names = new Set(instanceTypes);
    const types = this.#templates.find(({ name }) => name === nodePool)?.types ?? [];
    const possible = types.filter(({ type }) => names.has(type.name));
    return resourceTexts(
      maxResources(...possible.map(({ type }) => parseResourceList(type.capacity, 'capacity'))),
    );
  }
}

const none: ReadonlySet<string> = new Set();
const noPods: readonly PodView[] = [];

/** Nodes in the order in which simulations fill them. */
function inFillingOrder(
  { cluster }: PlanContext,
  { refusing, last = [] }: SimulationInputs,
): readonly ExistingNode[] {
  const ranks = new Map(last.map((name, index) => [name, index + 1]));
  const rankOf = ({ name, initialized }: ExistingNode) =>
    initialized ? (ranks.get(name) ?? 0) : last.length + 1;
  return cluster.nodes
    .map((node) => ({ node, rank: rankOf(node) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ node }) => (refusing.has(node.name) ? { ...node, refusesMoved: true } : node));
}

interface LaunchedNode {
  readonly view: NodeView;
  readonly nodes: readonly ExistingNode[];
  readonly uids: readonly string[];
}

interface SimulationParts {
  readonly nodes: readonly FillableNode[];
  readonly pods: SimulatedPods;
  readonly bounds: LaunchBounds;
}

/** Labels that the node will have whichever instance type it launches as. */
function certainLabels({ requirements }: PlannedNode): Labels {
  return Object.fromEntries(
    requirements.flatMap(({ key, operator, values = [] }) => {
      const [value, another] = values;
      return operator === 'In' && value !== undefined && another === undefined ? [[key, value] as const] : [];
    }),
  );
}
