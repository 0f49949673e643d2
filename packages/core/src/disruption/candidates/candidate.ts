import {
  annotationKeys,
  lifecycleTuning,
  type NodeClaim,
  type NodePool,
  timestampMs,
} from '../../api/index.ts';
import type { InstanceType } from '../../ports/index.ts';
import {
  allowsUnhealthyEviction,
  type ClusterNode,
  type ClusterPod,
  type ClusterSnapshot,
  isNominated,
  isProtected,
  movablePods,
  type NodeState,
  type PodBudgets,
  type PodDisruptionBudget,
  type PodState,
  rescheduleCost,
} from '../../state/index.ts';
import type { Steps } from '../../yielding/index.ts';
import { type Blocker, blockers } from './blocker.ts';
import { lastPodEvent } from './consolidatable.ts';
import { nodePrice } from './node-price.ts';

/** A node that may be disrupted voluntarily. */
export interface Candidate {
  /** The `id` of its `NodeState`. */
  readonly id: string;
  readonly name: string;
  readonly state: NodeState;
  readonly node: ClusterNode;
  readonly nodeClaim: NodeClaim;
  readonly nodePool: NodePool;
  readonly instanceType: InstanceType | undefined;
  /** In dollars per hour; 0 when unknown. */
  readonly price: number;
  /** Milliseconds since its NodeClaim was created. */
  readonly age: number;
  /** Milliseconds since a pod was last bound to or removed from it. */
  readonly sinceLastPodEvent: number;
  /** Cost of draining the node, in units of an average pod, plus 1 for the node itself. */
  readonly cost: number;
  /** Pods that would need another node. */
  readonly reschedulable: readonly PodState[];
  /** Those of them that can be evicted now. */
  readonly movable: readonly PodState[];
}

/**
 * `graceful` disruption respects do-not-disrupt pods and PodDisruptionBudgets. `eventual` ignores them if the
 * NodeClaim has a terminationGracePeriod, which ends the drain in any case.
 */
export type DisruptionClass = 'graceful' | 'eventual';

export interface CandidateContext {
  readonly snapshot: ClusterSnapshot;
  /** Ids of nodes that belong to a command in the queue. */
  readonly queued: ReadonlySet<string>;
}

/** A node that is not a candidate, and the reason. */
export interface BlockedNode {
  readonly state: NodeState;
  readonly blocker: Blocker;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly blocked: readonly BlockedNode[];
}

/** Checks every node of a snapshot. */
export function findCandidates(context: CandidateContext, disruptionClass: DisruptionClass): Candidates {
  const steps = candidateSteps(context, disruptionClass);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Like `findCandidates`, but yields after each node so that the caller can do other work. */
export function* candidateSteps(
  context: CandidateContext,
  disruptionClass: DisruptionClass,
): Steps<Candidates> {
  const evaluator = new CandidateEvaluator(context);
  const candidates: Candidate[] = [];
  const blocked: BlockedNode[] = [];
  for (const state of context.snapshot.nodeStates) {
    const verdict = evaluator.evaluate(state, disruptionClass);
    if (isCandidate(verdict)) candidates.push(verdict);
    else blocked.push({ state, blocker: verdict });
    yield;
  }
  return { candidates, blocked };
}

export function isCandidate(verdict: Candidate | Blocker): verdict is Candidate {
  return !('cause' in verdict);
}

/** Decides for each node of a snapshot whether it is a candidate. */
export class CandidateEvaluator {
  readonly #context: CandidateContext;
  readonly #pools: ReadonlyMap<string, NodePool>;
  readonly #types = new Map<string, ReadonlyMap<string, InstanceType>>();
  #states: ReadonlyMap<string, NodeState> | undefined;

  constructor(context: CandidateContext) {
    this.#context = context;
    this.#pools = new Map(context.snapshot.nodePools.map((pool) => [pool.metadata.name, pool]));
  }

  /** The node with this id in the snapshot. */
  stateOf(id: string): NodeState | undefined {
    this.#states ??= new Map(this.#context.snapshot.nodeStates.map((state) => [state.id, state]));
    return this.#states.get(id);
  }

  /** Returns the candidate, or the first blocker in the order of the checks. */
  evaluate(state: NodeState, disruptionClass: DisruptionClass): Candidate | Blocker {
    const { snapshot, queued } = this.#context;
    const { node, nodeClaim } = state;
    if (queued.has(state.id)) return blockers.queued;
    if (nodeClaim === undefined) return blockers.noNodeClaim;
    if (node === undefined) return startBlocker(blockers.noNode, nodeClaim, snapshot.at);
    if (!state.initialized) return startBlocker(blockers.notInitialized, nodeClaim, snapshot.at);
    const found = nodeBlocker(state, node, snapshot.at) ?? this.#poolOf(node);
    if ('cause' in found) return found;
    const isForced = disruptionClass === 'eventual' && nodeClaim.spec.terminationGracePeriod !== undefined;
    const blocker = isForced ? undefined : podBlocker(state.pods, snapshot.budgets, snapshot.at);
    return blocker ?? this.#candidate(state, { node, nodeClaim, nodePool: found });
  }

  /** The node as a candidate, whatever blocks it now; undefined if one of its objects is gone. */
  unblocked(id: string): Candidate | undefined {
    const state = this.stateOf(id);
    if (state?.node === undefined || state.nodeClaim === undefined) return undefined;
    const { node, nodeClaim } = state;
    const nodePool = this.#poolOf(node);
    return 'cause' in nodePool ? undefined : this.#candidate(state, { node, nodeClaim, nodePool });
  }

  /** The hourly price of the node, whether or not it is a candidate. */
  priceOf({ view, offering }: NodeState): number {
    return nodePrice(this.#typeOf(view.nodePool, offering.instanceType), offering);
  }

  /** As in Karpenter, a NodePool without instance types counts as missing. */
  #poolOf({ metadata }: ClusterNode): NodePool | Blocker {
    const name = metadata.labels?.['karpenter.sh/nodepool'] ?? '';
    if (name === '') return blockers.noNodePoolLabel;
    const hasTypes = (this.#context.snapshot.instanceTypes.get(name) ?? []).length > 0;
    const nodePool = this.#pools.get(name);
    return nodePool !== undefined && hasTypes ? nodePool : blockers.noNodePool(name);
  }

  #typeOf(nodePool: string | undefined, name: string | undefined): InstanceType | undefined {
    if (nodePool === undefined || name === undefined) return undefined;
    const known = this.#types.get(nodePool);
    if (known !== undefined) return known.get(name);
    const types = this.#context.snapshot.instanceTypes.get(nodePool) ?? [];
    const byName = new Map(types.map((type) => [type.name, type]));
    this.#types.set(nodePool, byName);
    return byName.get(name);
  }

  #candidate(state: NodeState, objects: Pick<Candidate, 'node' | 'nodeClaim' | 'nodePool'>): Candidate {
    const { snapshot } = this.#context;
    return {
      id: state.id,
      name: objects.node.metadata.name,
      state,
      ...objects,
      instanceType: this.#typeOf(objects.nodePool.metadata.name, state.offering.instanceType),
      price: this.priceOf(state),
      age: snapshot.at - (timestampMs(objects.nodeClaim.metadata.creationTimestamp) ?? 0),
      sinceLastPodEvent: snapshot.at - (lastPodEvent(objects.nodeClaim) ?? snapshot.at),
      cost: rescheduleCost(state.pods),
      reschedulable: state.pods.filter(({ isReschedulable }) => isReschedulable),
      movable: movablePods(state, snapshot.budgets, snapshot.at),
    };
  }
}

/**
 * A starting node has a cause but no message, so no event is published: nobody can do anything about it. A
 * node that has not joined or initialized within the registration timeout has a problem worth reporting.
 */
function startBlocker(blocker: Blocker, { metadata }: NodeClaim, at: number): Blocker {
  const created = timestampMs(metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY;
  return at - created < lifecycleTuning.registrationTimeout ? { cause: blocker.cause } : blocker;
}

/** The Node annotation accepts only `true`; durations are for pods. */
function nodeBlocker(state: NodeState, { metadata }: ClusterNode, at: number): Blocker | undefined {
  if (state.markedForDeletion || metadata.deletionTimestamp !== undefined) return blockers.deleting;
  if (isNominated(state, at)) return blockers.nominated;
  const annotation = metadata.annotations?.[annotationKeys.doNotDisrupt];
  return annotation === 'true' ? blockers.nodeAnnotation : undefined;
}

/** Checks all pods, not only reschedulable ones: a DaemonSet pod with do-not-disrupt blocks too, as in Karpenter. */
function podBlocker(pods: readonly PodState[], budgets: PodBudgets, at: number): Blocker | undefined {
  // Annotations of all pods come before the first budget, which is the order of Karpenter's checks.
  const protectedPod = pods.find(({ pod }) => isProtected(pod, at));
  if (protectedPod !== undefined) return blockers.podAnnotation(protectedPod.key);
  for (const { pod } of pods) {
    const found = budgetBlocker(pod, budgets);
    if (found !== undefined) return found;
  }
  return undefined;
}

function budgetBlocker(pod: ClusterPod, budgets: PodBudgets): Blocker | undefined {
  const [budget, ...others] = budgets.protecting(pod);
  if (budget === undefined) return undefined;
  if (others.length > 0) return blockers.multiplePdbs([budget, ...others].map(keyOf));
  const isExhausted = (budget.status?.disruptionsAllowed ?? 0) === 0 && !allowsUnhealthyEviction(budget, pod);
  return isExhausted ? blockers.exhaustedPdb(keyOf(budget)) : undefined;
}

function keyOf({ metadata }: PodDisruptionBudget): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** As in Karpenter, only pods with a positive eviction cost count: pods of very low priority leave a node empty. */
export function isEmptyCandidate({ cost }: Pick<Candidate, 'cost'>): boolean {
  return cost <= 1;
}

/** What nodes cost together, in dollars per hour. */
export function totalPrice(nodes: readonly Pick<Candidate, 'price'>[]): number {
  return nodes.reduce((sum, { price }) => sum + price, 0);
}

/** Price saved per unit of reschedule cost. */
function savingsRatio({ price, cost }: Pick<Candidate, 'price' | 'cost'>): number {
  return price / cost;
}

/** Best savings ratio first; ties by name, so that the order is deterministic. */
export function bySavingsRatio(a: Candidate, b: Candidate): number {
  return savingsRatio(b) - savingsRatio(a) || (a.name < b.name ? -1 : 1);
}
