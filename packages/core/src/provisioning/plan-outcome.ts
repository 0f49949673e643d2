import type { NodePool } from '../api/index.ts';
import { isVirtualPod, type Placement, type Plan, type PodView } from '../scheduling/index.ts';
import type { ClusterSnapshot, NodeState, PodJudgement } from '../state/index.ts';
import { isRegistrationHealthy } from './plannable-pools.ts';

/** Where a pod is expected to run. */
export interface Nomination {
  readonly pod: PodView;
  readonly nodeClaim?: string | undefined;
  readonly node?: string | undefined;
}

/** Uids of real pods that are to come to a node on its way. */
export interface ExpectedPods {
  readonly nodeClaim: string;
  readonly pods: readonly string[];
}

/** What a plan means for what exists, once it is settled. */
export interface PlanOutcome {
  /** Nodes that real pods are to come to, by the id of their state. */
  readonly nominatedNodes: readonly string[];
  readonly nominations: readonly Nomination[];
  readonly judgements: readonly PodJudgement[];
}

/** What the pods of a plan are told, and what is remembered of them. Virtual pods leave no trace. */
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

  /** Of the pods that go to nodes that exist or are on their way. */
  placed(placements: readonly Placement[]): PlanOutcome {
    const settled = placements.flatMap(({ node, pods }) => {
      const state = this.#nodes.get(node);
      const real = this.real(pods);
      return state === undefined || real.length === 0 ? [] : [{ state, pods: real }];
    });
    return {
      nominatedNodes: settled.map(({ state }) => state.id),
      nominations: settled.flatMap(({ state, pods }) =>
        pods.map((pod) => ({
          pod,
          nodeClaim: state.nodeClaim?.metadata.name,
          node: state.node?.metadata.name,
        })),
      ),
      judgements: settled.flatMap(({ state, pods }) =>
        pods.map((pod) => this.#placement(pod, state.view.nodePool, state.nodeClaim?.metadata.name)),
      ),
    };
  }

  /** Of the same pods, those whose nodes cannot take them yet, by NodeClaim. */
  expected(placements: readonly Placement[]): readonly ExpectedPods[] {
    return placements.flatMap(({ node, pods }) => {
      const { nodeClaim, initialized = true } = this.#nodes.get(node) ?? {};
      const real = this.real(pods).map(({ metadata }) => metadata.uid);
      if (nodeClaim === undefined || initialized || real.length === 0) return [];
      return [{ nodeClaim: nodeClaim.metadata.name, pods: real }];
    });
  }

  /** Of the pods that a NodeClaim was made for. */
  created(pods: readonly string[], nodePool: string, nodeClaim: string): PlanOutcome {
    const real = this.real(pods);
    return {
      nominatedNodes: [],
      nominations: real.map((pod) => ({ pod, nodeClaim })),
      judgements: real.map((pod) => this.#placement(pod, nodePool, nodeClaim)),
    };
  }

  /** Pods without a place, and why. */
  rejected({
    rejections,
  }: Pick<Plan, 'rejections'>): readonly { readonly pod: PodView; readonly message: string }[] {
    return rejections.flatMap(({ pod: uid, message }) => {
      const pod = this.#pods.get(uid);
      return pod === undefined ? [] : [{ pod, message }];
    });
  }

  real(uids: readonly string[]): readonly PodView[] {
    return uids.flatMap((uid) => this.#pods.get(uid) ?? []);
  }

  #placement(
    { metadata }: PodView,
    nodePool: string | undefined,
    nodeClaim: string | undefined,
  ): PodJudgement {
    const isPoolHealthy = nodePool !== undefined && this.#healthyPools.has(nodePool);
    return {
      uid: metadata.uid,
      placement: { isPoolHealthy, ...(nodeClaim !== undefined && { nodeClaim }) },
    };
  }
}

/** Where the pods are to go that nodes are kept for, as earlier passes decided. */
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

/** `Pod should schedule on: nodeclaim/x, node/y`. */
export function nominationText({ nodeClaim, node }: Nomination): string {
  const places = [
    ...(nodeClaim === undefined ? [] : [`nodeclaim/${nodeClaim}`]),
    ...(node === undefined ? [] : [`node/${node}`]),
  ];
  return `Pod should schedule on: ${places.join(', ')}`;
}

function nameOf({ metadata }: NodePool): string {
  return metadata.name;
}
