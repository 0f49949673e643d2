import type { NodePool } from '../api/index.ts';
import { isVirtualPod, type Placement, type Plan, type PodView } from '../scheduling/index.ts';
import type { ClusterSnapshot, NodeState, PodSchedulingDecision } from '../state/index.ts';
import { isRegistrationHealthy } from './plannable-pools.ts';
import { rejectionText } from './rejection-text.ts';

/** Where a pod is expected to run. */
export interface Nomination {
  readonly pod: PodView;
  readonly nodeClaim?: string | undefined;
  readonly node?: string | undefined;
}

/** Uids of real pods expected on a node that is still starting. */
export interface ExpectedPods {
  readonly nodeClaim: string;
  readonly pods: readonly string[];
}

export interface NominatedNode {
  /** The `NodeState.id`. */
  readonly node: string;
  /** Uids. */
  readonly pods: readonly string[];
}

/** What a plan means for existing objects. */
export interface PlanOutcome {
  /** Nodes that real pods were placed on. */
  readonly nominatedNodes: readonly NominatedNode[];
  readonly nominations: readonly Nomination[];
  readonly schedulingDecisions: readonly PodSchedulingDecision[];
}

/** Derives nominations, events and timestamps from a plan. Virtual pods produce none of them. */
export class PlanOutcomes {
  readonly #pods: ReadonlyMap<string, PodView>;
  readonly #nodes: ReadonlyMap<string, NodeState>;
  readonly #healthyPools: ReadonlySet<string>;

  constructor(
    pods: readonly PodView[],
    { nodeStates, nodePools }: Pick<ClusterSnapshot, 'nodeStates' | 'nodePools'>,
  ) {
    const real = pods.filter((pod) => !isVirtualPod(pod));
    this.#pods = new Map(real.map((pod) => [pod.metadata.uid, pod]));
    this.#nodes = new Map(nodeStates.map((state) => [state.view.name, state]));
    this.#healthyPools = new Set(nodePools.filter(isRegistrationHealthy).map(nameOf));
  }

  /** For pods placed on nodes that exist or are starting. */
  placed(placements: readonly Placement[]): PlanOutcome {
    const settled = placements.flatMap(({ node, pods }) => {
      const state = this.#nodes.get(node);
      const real = this.real(pods);
      return state === undefined || real.length === 0 ? [] : [{ state, pods: real }];
    });
    return {
      nominatedNodes: settled.map(({ state, pods }) => ({ node: state.id, pods: pods.map(uidOf) })),
      nominations: settled.flatMap(({ state, pods }) =>
        pods.map((pod) => ({
          pod,
          nodeClaim: state.nodeClaim?.metadata.name,
          node: state.node?.metadata.name,
        })),
      ),
      schedulingDecisions: settled.flatMap(({ state, pods }) =>
        pods.map((pod) => this.#placement(pod, state.view.nodePool, state.nodeClaim?.metadata.name)),
      ),
    };
  }

  /** The same pods, limited to nodes that are not initialized yet, by NodeClaim. */
  expected(placements: readonly Placement[]): readonly ExpectedPods[] {
    return placements.flatMap(({ node, pods }) => {
      const { nodeClaim, initialized = true } = this.#nodes.get(node) ?? {};
      const real = this.real(pods).map(uidOf);
      if (nodeClaim === undefined || initialized || real.length === 0) return [];
      return [{ nodeClaim: nodeClaim.metadata.name, pods: real }];
    });
  }

  /** For pods that a NodeClaim was created for. */
  created(pods: readonly string[], nodePool: string, nodeClaim: string): PlanOutcome {
    const real = this.real(pods);
    return {
      nominatedNodes: [],
      nominations: real.map((pod) => ({ pod, nodeClaim })),
      schedulingDecisions: real.map((pod) => this.#placement(pod, nodePool, nodeClaim)),
    };
  }

  /** Rejected pods, each with the message of its event. */
  rejected(rejections: Plan['rejections']): readonly { readonly pod: PodView; readonly message: string }[] {
    return rejections.flatMap((rejection) => {
      const pod = this.#pods.get(rejection.pod);
      return pod === undefined ? [] : [{ pod, message: rejectionText(rejection) }];
    });
  }

  /** The real pods among these uids. */
  real(uids: readonly string[]): readonly PodView[] {
    return uids.flatMap((uid) => this.#pods.get(uid) ?? []);
  }

  #placement(
    { metadata }: PodView,
    nodePool: string | undefined,
    nodeClaim: string | undefined,
  ): PodSchedulingDecision {
    const isPoolHealthy = nodePool !== undefined && this.#healthyPools.has(nodePool);
    return {
      uid: metadata.uid,
      placement: { isPoolHealthy, ...(nodeClaim !== undefined && { nodeClaim }) },
    };
  }
}

/**
 * Placements from earlier passes that are still waiting for their node. Each pass nominates those nodes
 * again.
 */
export function expectedPlacements({
  heldPods,
  nodeStates,
}: Pick<ClusterSnapshot, 'heldPods' | 'nodeStates'>): readonly Placement[] {
  const podsOf = new Map<string, string[]>();
  for (const { pod, nodeClaim, cause } of heldPods) {
    if (cause !== 'expected') continue;
    const pods = podsOf.get(nodeClaim) ?? [];
    pods.push(pod.metadata.uid);
    podsOf.set(nodeClaim, pods);
  }
  return nodeStates.flatMap(({ view }) => {
    const pods = podsOf.get(view.nodeClaim ?? '');
    return pods === undefined ? [] : [{ node: view.name, pods }];
  });
}

/** The message of the event `Nominated`: `Pod should schedule on: nodeclaim/x, node/y`. */
export function nominationText({ nodeClaim, node }: Nomination): string {
  const places = [
    ...(nodeClaim === undefined ? [] : [`nodeclaim/${nodeClaim}`]),
    ...(node === undefined ? [] : [`node/${node}`]),
  ];
  return `Pod should schedule on: ${places.join(', ')}`;
}

function uidOf({ metadata }: PodView): string {
  return metadata.uid;
}

function nameOf({ metadata }: NodePool): string {
  return metadata.name;
}
