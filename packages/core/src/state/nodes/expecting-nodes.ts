import {
  getCondition,
  lifecycleTuning,
  type NodeClaim,
  nodeClaimConditions,
  provisioningTuning,
  timestampMs,
} from '../../api/index.ts';
import {
  fits,
  parseResourceList,
  type ResourceList,
  resourceTexts,
  subtractResources,
  sumResources,
} from '../../values/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import type { LaunchRecords } from '../launches/launch-records.ts';
import { exchangedPods, type RecordedNode } from '../pods/exchanged-pods.ts';
import { requestsOf } from '../pods/pod-state.ts';
import type { NodeState } from './node-state.ts';
import type { NodeTable } from './node-table.ts';

/** A node and the pods that it was launched or chosen for before it could take them. */
export interface ExpectingNode {
  /** Includes the requests of the expected pods, and is nominated while they are expected. */
  readonly state: NodeState;
  readonly pods: readonly ClusterPod[];
}

export interface Expectations {
  /** By NodeClaim name. */
  readonly nodes: ReadonlyMap<string, ExpectingNode>;
  /** By uid: the NodeClaim a pod gets instead of its own, because an equal pod was bound to its node. */
  readonly exchanged: ReadonlyMap<string, string>;
}

/**
 * Keeps each node for the pods it was launched for, until the kube-scheduler has had time to bind them.
 * Planning those pods again could place them differently and launch another node. A pod stops being expected
 * when it is bound to any node, or deleted.
 */
export class ExpectingNodes {
  readonly #records: LaunchRecords;
  readonly #nodes: NodeTable;
  readonly #known = new Map<string, Known>();

  constructor(records: LaunchRecords, nodes: NodeTable) {
    this.#records = records;
    this.#nodes = nodes;
  }

  /** The nodes and pods to keep together at the instant `at`. Drops records whose deadline has passed. */
  at(at: number, needing: (uid: string) => ClusterPod | undefined): Expectations {
    const recorded = this.#recorded(at, needing);
    const exchanged = exchangedPods(recorded, (uid) => this.#records.claimOf(uid));
    const nodes = new Map<string, ExpectingNode>();
    for (const [claim, { node, pods }] of exchange(recorded, exchanged)) {
      const expecting = this.#expecting(claim, { node, pods }, recorded.size);
      if (expecting.pods.length > 0) nodes.set(claim, expecting);
    }
    return { nodes, exchanged };
  }

  #recorded(at: number, needing: (uid: string) => ClusterPod | undefined): ReadonlyMap<string, RecordedNode> {
    const recorded = new Map<string, RecordedNode>();
    for (const claim of this.#records.claims) {
      const node = this.#nodes.stateOfClaim(claim);
      if (node === undefined) continue;
      if (at >= bindingDeadline(node) && at >= this.#extendedDeadline(node)) {
        this.#records.forget(claim);
        this.#known.delete(claim);
      } else if (!node.markedForDeletion) {
        const pods = [...(this.#records.podsOf(claim) ?? [])].flatMap((uid) => needing(uid) ?? []);
        recorded.set(claim, { node, pods });
      }
    }
    return recorded;
  }

  /** Returns the same object until the node, its pods, the records or the launched claims change. */
  #expecting(claim: string, { node, pods }: RecordedNode, launched: number): ExpectingNode {
    const revision = `${this.#records.revision}/${launched}`;
    const known = this.#known.get(claim);
    if (known?.node === node && known.revision === revision && isSame(known.recorded, pods)) {
      return known.expecting;
    }
    const expecting = this.#expect(node, pods);
    this.#known.set(claim, { node, revision, recorded: pods, expecting });
    return expecting;
  }

  /**
   * Releases pods that no longer fit, because the instance is smaller than planned or because the kube-scheduler bound
   * other pods to it (ADR 0015). They are planned again at once: the room that such a pod leaves on its own node may
   * be free for them. A bound pod whose own claim is not launched yet takes no room here, so that the others wait: a
   * plan cannot use the room of that claim yet and would launch another node.
   */
  #expect(node: NodeState, recorded: readonly ClusterPod[]): ExpectingNode {
    const staying = node.pods.filter(({ pod }) => !this.#leavesLaunch(pod));
    const taken = sumResources(...staying.map(({ requests }) => requests));
    const pods = fitting(recorded, subtractResources(parseResourceList(node.view.allocatable), taken));
    return { state: pods.length === 0 ? node : withPods(node, pods, this.#extendedDeadline(node)), pods };
  }

  /** Whether the pod was recorded for a claim that is not launched yet, whose node has its room free. */
  #leavesLaunch({ metadata }: ClusterPod): boolean {
    const claim = this.#records.claimOf(metadata.uid);
    return claim !== undefined && this.#nodes.stateOfClaim(claim) === undefined;
  }

  /**
   * Restarts the deadline with each expected pod that is bound: a kube-scheduler with a long queue needs more
   * time for the rest. Only recorded pods extend it, so it cannot be extended forever.
   */
  #extendedDeadline(node: NodeState): number {
    const recorded = node.pods.filter(({ pod }) => this.#records.claimOf(pod.metadata.uid) !== undefined);
    const ends = recorded.map(({ pod }) => boundAt(pod) + provisioningTuning.bindingTimeout);
    return Math.max(bindingDeadline(node), ...ends);
  }
}

/** The same list, with nodes that expect pods replaced by their `ExpectingNode.state`. */
export function withExpected(
  nodes: readonly NodeState[],
  expecting: ReadonlyMap<string, ExpectingNode>,
): readonly NodeState[] {
  if (expecting.size === 0) return nodes;
  return nodes.map((node) => expecting.get(node.nodeClaim?.metadata.name ?? '')?.state ?? node);
}

/** Regroups pods by the NodeClaim they belong to after swaps. Claims that are not nodes yet are left out. */
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
  readonly revision: string;
  readonly recorded: readonly ClusterPod[];
  readonly expecting: ExpectingNode;
}

/** The pods that fit into `room`, in order. */
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
 * When to stop keeping the node for its pods. Once it is initialized, they are bound soon or not at all. If
 * it never initializes, the registration timeout ends the wait: a claim that does not register is deleted
 * then, and a node that joined but stays uninitialized must not hold its pods forever.
 */
function bindingDeadline({ nodeClaim }: NodeState): number {
  const initialized = initializedAt(nodeClaim);
  if (initialized !== undefined) return initialized + provisioningTuning.bindingTimeout;
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
