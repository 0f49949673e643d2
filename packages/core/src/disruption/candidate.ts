import { annotationKeys, lifecycleTuning, type NodeClaim, type NodePool, timestampMs } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { PlanSignal } from '../scheduling/index.ts';
import {
  type ClusterNode,
  type ClusterPod,
  type ClusterSnapshot,
  isNominated,
  isProtected,
  letsGo,
  movablePods,
  type NodeState,
  type PodBudgets,
  type PodDisruptionBudget,
  type PodState,
  rescheduleCost,
} from '../state/index.ts';
import { type Blocker, blockers } from './blocker.ts';
import { quietSince } from './consolidatable.ts';
import { nodePrice } from './node-price.ts';

/** A node that may be disrupted. */
export interface Candidate {
  /** The `id` of its state. */
  readonly id: string;
  readonly name: string;
  readonly state: NodeState;
  readonly node: ClusterNode;
  readonly nodeClaim: NodeClaim;
  readonly nodePool: NodePool;
  readonly instanceType: InstanceType | undefined;
  /** In dollars an hour; 0 where it is not known. */
  readonly price: number;
  /** For how long no pod has come or gone. */
  readonly quietFor: number;
  /** What it costs to move its pods, in usual pods; 1 for the node itself. */
  readonly cost: number;
  /** Pods that would look for another place. */
  readonly reschedulable: readonly PodState[];
  /** Those of them that may move now. */
  readonly movable: readonly PodState[];
}

/** `graceful` disruption waits for pods that do not want to go; `eventual` does not where a grace period ends it. */
export type DisruptionClass = 'graceful' | 'eventual';

export interface CandidateContext {
  readonly snapshot: ClusterSnapshot;
  /** Ids of nodes that a command is at work on. */
  readonly queued: ReadonlySet<string>;
}

/** A node that is no candidate, and why. */
export interface BlockedNode {
  readonly state: NodeState;
  readonly blocker: Blocker;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly blocked: readonly BlockedNode[];
}

/** Judges every node of a snapshot. */
export function findCandidates(context: CandidateContext, disruptionClass: DisruptionClass): Candidates {
  const steps = candidateSteps(context, disruptionClass);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const nodesPerStep = 50;

/** As `findCandidates`, in slices: the caller may do other work between two steps. */
export function* candidateSteps(
  context: CandidateContext,
  disruptionClass: DisruptionClass,
): Generator<void, Candidates, PlanSignal> {
  const judge = new CandidateJudge(context);
  const candidates: Candidate[] = [];
  const blocked: BlockedNode[] = [];
  for (const [index, state] of context.snapshot.nodeStates.entries()) {
    const verdict = judge.judge(state, disruptionClass);
    if (isCandidate(verdict)) candidates.push(verdict);
    else blocked.push({ state, blocker: verdict });
    if ((index + 1) % nodesPerStep === 0) yield;
  }
  return { candidates, blocked };
}

export function isCandidate(verdict: Candidate | Blocker): verdict is Candidate {
  return !('cause' in verdict);
}

export class CandidateJudge {
  readonly #context: CandidateContext;
  readonly #pools: ReadonlyMap<string, NodePool>;
  readonly #types = new Map<string, ReadonlyMap<string, InstanceType>>();
  #states: ReadonlyMap<string, NodeState> | undefined;

  constructor(context: CandidateContext) {
    this.#context = context;
    this.#pools = new Map(context.snapshot.nodePools.map((pool) => [pool.metadata.name, pool]));
  }

  /** The node of this id as the snapshot has it. */
  stateOf(id: string): NodeState | undefined {
    this.#states ??= new Map(this.#context.snapshot.nodeStates.map((state) => [state.id, state]));
    return this.#states.get(id);
  }

  judge(state: NodeState, disruptionClass: DisruptionClass): Candidate | Blocker {
    const { snapshot, queued } = this.#context;
    const { node, nodeClaim } = state;
    if (queued.has(state.id)) return blockers.queued;
    if (nodeClaim === undefined) return blockers.noNodeClaim;
    if (node === undefined) return startBlocker(blockers.noNode, nodeClaim, snapshot.at);
    if (!state.initialized) return startBlocker(blockers.notInitialized, nodeClaim, snapshot.at);
    const found = nodeBlocker(state, node, snapshot.at) ?? this.#poolOf(node);
    if ('cause' in found) return found;
    const isForced = disruptionClass === 'eventual' && nodeClaim.spec.terminationGracePeriod !== undefined;
    const held = isForced ? undefined : podBlocker(state.pods, snapshot.budgets, snapshot.at);
    return held ?? this.#candidate(state, { node, nodeClaim, nodePool: found });
  }

  /** What the node costs, whether or not it is a candidate. */
  priceOf({ view, offering }: NodeState): number {
    return nodePrice(this.#typeOf(view.nodePool, offering.instanceType), offering);
  }

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
      quietFor: snapshot.at - (quietSince(objects.nodeClaim) ?? snapshot.at),
      cost: rescheduleCost(state.pods),
      reschedulable: state.pods.filter(({ isReschedulable }) => isReschedulable),
      movable: movablePods(state, snapshot.budgets, snapshot.at),
    };
  }
}

/**
 * A node that is starting is not yet blocked: nobody can do anything about it, so no event is published. One that has
 * not joined or is not ready after the time in which every node registers has a problem worth reporting.
 */
function startBlocker(blocker: Blocker, { metadata }: NodeClaim, at: number): Blocker {
  const created = timestampMs(metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY;
  return at - created < lifecycleTuning.registrationTimeout ? { cause: blocker.cause } : blocker;
}

function nodeBlocker(state: NodeState, { metadata }: ClusterNode, at: number): Blocker | undefined {
  if (state.markedForDeletion || metadata.deletionTimestamp !== undefined) return blockers.deleting;
  if (isNominated(state, at)) return blockers.nominated;
  const wish = metadata.annotations?.[annotationKeys.doNotDisrupt];
  return wish === 'true' ? blockers.nodeAnnotation : undefined;
}

function podBlocker(pods: readonly PodState[], budgets: PodBudgets, at: number): Blocker | undefined {
  const staying = pods.find(({ pod }) => isProtected(pod, at));
  if (staying !== undefined) return blockers.podAnnotation(staying.key);
  for (const { pod } of pods) {
    const found = budgetBlocker(pod, budgets);
    if (found !== undefined) return found;
  }
  return undefined;
}

function budgetBlocker(pod: ClusterPod, budgets: PodBudgets): Blocker | undefined {
  const [budget, ...others] = budgets.protecting(pod);
  if (budget === undefined) return undefined;
  if (others.length > 0) return blockers.severalBudgets([budget, ...others].map(keyOf));
  const isExhausted = (budget.status?.disruptionsAllowed ?? 0) === 0 && !letsGo(budget, pod);
  return isExhausted ? blockers.exhaustedBudget(keyOf(budget)) : undefined;
}

function keyOf({ metadata }: PodDisruptionBudget): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Moves as good as nothing: no pod on it has a cost above zero. */
export function isEmptyCandidate({ cost }: Pick<Candidate, 'cost'>): boolean {
  return cost <= 1;
}

/** The price that one usual move gives up. */
export function savingsRatio({ price, cost }: Pick<Candidate, 'price' | 'cost'>): number {
  return price / cost;
}

/** The most saving for the least disturbance first; equal ones by name, so that the order is always the same. */
export function bySavingsRatio(a: Candidate, b: Candidate): number {
  return savingsRatio(b) - savingsRatio(a) || (a.name < b.name ? -1 : 1);
}
