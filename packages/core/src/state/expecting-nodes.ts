import {
  getCondition,
  lifecycleTuning,
  type NodeClaim,
  nodeClaimConditions,
  provisioningTuning,
  timestampMs,
} from '../api/index.ts';
import {
  fits,
  parseResourceList,
  type ResourceList,
  resourceTexts,
  subtractResources,
  sumResources,
} from '../values/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import { exchangedPods, type RecordedNode } from './exchanged-pods.ts';
import type { LaunchRecords } from './launch-records.ts';
import type { NodeState } from './node-state.ts';
import type { NodeTable } from './node-table.ts';
import { requestsOf } from './pod-state.ts';

/** A node and the pods in need that it was made or chosen for before it could take them. */
export interface ExpectingNode {
  /** With their requests among those of its pods, and nominated while they are expected. */
  readonly state: NodeState;
  readonly pods: readonly ClusterPod[];
}

export interface Expectations {
  /** By the name of their NodeClaim. */
  readonly nodes: ReadonlyMap<string, ExpectingNode>;
  /** The claim that a pod is to get instead of its own, which another of its kind has taken; by uid. */
  readonly exchanged: ReadonlyMap<string, string>;
}

/**
 * Keeps nodes for the pods that they were made for, from the launch until the kube-scheduler has had time to bind
 * them. A pod that is bound, wherever, or gone is expected nowhere.
 */
export class ExpectingNodes {
  readonly #records: LaunchRecords;
  readonly #nodes: NodeTable;
  readonly #known = new Map<string, Known>();

  constructor(records: LaunchRecords, nodes: NodeTable) {
    this.#records = records;
    this.#nodes = nodes;
  }

  /** Records that are of no use any more are dropped. */
  at(at: number, inNeed: (uid: string) => ClusterPod | undefined): Expectations {
    const recorded = this.#recorded(at, inNeed);
    const exchanged = exchangedPods(recorded, (uid) => this.#records.claimOf(uid));
    const nodes = new Map<string, ExpectingNode>();
    for (const [claim, { node, pods }] of exchange(recorded, exchanged)) {
      const expecting = this.#expecting(claim, node, pods);
      if (expecting.pods.length > 0) nodes.set(claim, expecting);
    }
    return { nodes, exchanged };
  }

  #recorded(at: number, inNeed: (uid: string) => ClusterPod | undefined): ReadonlyMap<string, RecordedNode> {
    const recorded = new Map<string, RecordedNode>();
    for (const claim of this.#records.claims) {
      const node = this.#nodes.stateOfClaim(claim);
      if (node === undefined) continue;
      if (at >= patienceEnd(node) && at >= this.#lastPatienceEnd(node)) {
        this.#records.forget(claim);
        this.#known.delete(claim);
      } else if (!node.markedForDeletion) {
        const pods = [...(this.#records.podsOf(claim) ?? [])].flatMap((uid) => inNeed(uid) ?? []);
        recorded.set(claim, { node, pods });
      }
    }
    return recorded;
  }

  /** The same object until the node or its pods change. */
  #expecting(claim: string, node: NodeState, pods: readonly ClusterPod[]): ExpectingNode {
    const { revision } = this.#records;
    const known = this.#known.get(claim);
    if (known?.node === node && known.revision === revision && isSame(known.recorded, pods)) {
      return known.expecting;
    }
    const expecting = this.#expect(node, pods);
    this.#known.set(claim, { node, revision, recorded: pods, expecting });
    return expecting;
  }

  /**
   * Pods that there is no room for, because the machine is smaller than promised or pods came that no node was made
   * for, go free. Where the kube-scheduler has only exchanged pods of one plan there is room elsewhere for them.
   */
  #expect(node: NodeState, recorded: readonly ClusterPod[]): ExpectingNode {
    const strangers = node.pods.filter(({ pod }) => this.#records.claimOf(pod.metadata.uid) === undefined);
    const taken = sumResources(...strangers.map(({ requests }) => requests));
    const pods = fitting(recorded, subtractResources(parseResourceList(node.view.allocatable), taken));
    return { state: pods.length === 0 ? node : withPods(node, pods, this.#lastPatienceEnd(node)), pods };
  }

  /** A kube-scheduler that has many pods to bind is given its time again with each that it brings. */
  #lastPatienceEnd(node: NodeState): number {
    const ours = node.pods.filter(({ pod }) => this.#records.claimOf(pod.metadata.uid) !== undefined);
    const ends = ours.map(({ pod }) => boundAt(pod) + provisioningTuning.bindingPatience);
    return Math.max(patienceEnd(node), ...ends);
  }
}

/** The same nodes, those that expect pods with them. */
export function withExpected(
  nodes: readonly NodeState[],
  expecting: ReadonlyMap<string, ExpectingNode>,
): readonly NodeState[] {
  if (expecting.size === 0) return nodes;
  return nodes.map((node) => expecting.get(node.nodeClaim?.metadata.name ?? '')?.state ?? node);
}

/** Each pod where it is expected after those that were exchanged; claims that are no nodes yet are left out. */
function exchange(
  recorded: ReadonlyMap<string, RecordedNode>,
  exchanged: ReadonlyMap<string, string>,
): ReadonlyMap<string, RecordedNode> {
  if (exchanged.size === 0) return recorded;
  const podsOf = new Map<string, ClusterPod[]>([...recorded.keys()].map((claim) => [claim, []]));
  for (const [claim, { pods }] of recorded) {
    for (const pod of pods) podsOf.get(exchanged.get(pod.metadata.uid) ?? claim)?.push(pod);
  }
  return new Map([...recorded].map(([claim, { node }]) => [claim, { node, pods: podsOf.get(claim) ?? [] }]));
}

interface Known {
  readonly node: NodeState;
  readonly revision: number;
  readonly recorded: readonly ClusterPod[];
  readonly expecting: ExpectingNode;
}

/** As many of the pods as fit, in order. */
function fitting(pods: readonly ClusterPod[], room: ResourceList): readonly ClusterPod[] {
  let left = room;
  return pods.filter((pod) => {
    const requests = requestsOf(pod);
    const isFitting = fits(requests, left);
    if (isFitting) left = subtractResources(left, requests);
    return isFitting;
  });
}

function withPods(node: NodeState, pods: readonly ClusterPod[], until: number): NodeState {
  const { view } = node;
  const taken = sumResources(parseResourceList(view.podRequests), ...pods.map(requestsOf));
  const nominatedUntil = Math.max(node.nominatedUntil ?? Number.NEGATIVE_INFINITY, until);
  return { ...node, view: { ...view, podRequests: resourceTexts(taken) }, nominatedUntil };
}

/**
 * A node that is initialized has its pods soon or never. One that joins and is never initialized must not keep them
 * for ever; one that never joins is given up, with its claim, after the same time.
 */
function patienceEnd({ nodeClaim }: NodeState): number {
  const initialized = initializedAt(nodeClaim);
  if (initialized !== undefined) return initialized + provisioningTuning.bindingPatience;
  const created = timestampMs(nodeClaim?.metadata.creationTimestamp);
  return created === undefined ? Number.POSITIVE_INFINITY : created + lifecycleTuning.registrationTimeout;
}

function initializedAt(claim: NodeClaim | undefined): number | undefined {
  const conditions = claim?.status?.conditions ?? [];
  const condition = getCondition({ conditions }, nodeClaimConditions.initialized);
  return condition?.status === 'True' ? timestampMs(condition.lastTransitionTime) : undefined;
}

function boundAt({ status }: ClusterPod): number {
  const scheduled = status?.conditions?.find((condition) => condition.type === 'PodScheduled');
  const at = scheduled?.status === 'True' ? timestampMs(scheduled.lastTransitionTime) : undefined;
  return at ?? Number.NEGATIVE_INFINITY;
}

function isSame(known: readonly ClusterPod[], pods: readonly ClusterPod[]): boolean {
  return known.length === pods.length && known.every((pod, index) => pod === pods[index]);
}
