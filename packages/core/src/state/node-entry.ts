import { labelKeys, type NodeClaim } from '../api/index.ts';
import { parseResourceList, quantityFromInteger, type ResourceList } from '../values/index.ts';
import type { ClusterNode } from './cluster-object.ts';
import { type NodeBase, nodeBase } from './node-base.ts';
import type { NodeState, OfferingLabels } from './node-state.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Residents } from './residents.ts';

/** Part of the totals of a NodePool. */
export interface PoolShare {
  readonly nodePool: string;
  readonly resources: ResourceList;
}

/** What an entry does not hold itself. */
export interface NodeSurroundings {
  readonly residents: Residents | undefined;
  readonly volumeLimits: Readonly<Record<string, number>> | undefined;
}

const oneNode = quantityFromInteger(1);

/** Everything known of one machine: its objects, and the facts that live as long as one of them does. */
export class NodeEntry {
  readonly id: string;
  /** One of each, unless somebody gave one machine to two objects; then the first by name counts. */
  readonly nodes = new OrderedMap<ClusterNode>();
  readonly claims = new OrderedMap<NodeClaim>();
  nominatedUntil: number | undefined;
  bufferPods = 0;
  #isMarked = false;
  #objects: KnownObjects | undefined;

  constructor(id: string) {
    this.id = id;
  }

  get isEmpty(): boolean {
    return this.nodes.size === 0 && this.claims.size === 0;
  }

  get node(): ClusterNode | undefined {
    return this.nodes.values()[0];
  }

  get claim(): NodeClaim | undefined {
    return this.claims.values()[0];
  }

  get markedForDeletion(): boolean {
    return this.#isMarked || this.#known.deleting;
  }

  mark(isMarked: boolean): boolean {
    const hasChanged = this.#isMarked !== isMarked;
    this.#isMarked = isMarked;
    return hasChanged;
  }

  /** One of its objects has changed. */
  forgetObjects(): void {
    this.#objects = undefined;
  }

  /** What it adds to the totals of its NodePool; nodes on their way out add nothing. */
  get share(): PoolShare | undefined {
    return this.markedForDeletion ? undefined : this.#known.share;
  }

  state({ residents, volumeLimits }: NodeSurroundings): NodeState {
    const { view, facts } = this.#known;
    const deleting = this.markedForDeletion;
    const { podRequests, daemonRequests, pods } = residents ?? nobody;
    const { nominatedUntil, bufferPods } = this;
    const seen = { ...view, deleting, podRequests, daemonRequests };
    const state = {
      ...facts,
      view: volumeLimits === undefined ? seen : { ...seen, volumeLimits },
      pods,
      markedForDeletion: deleting,
      bufferPods,
    };
    return nominatedUntil === undefined ? state : { ...state, nominatedUntil };
  }

  get #known(): KnownObjects {
    this.#objects ??= this.#read();
    return this.#objects;
  }

  #read(): KnownObjects {
    const { id, node, claim } = this;
    const { view, registered, initialized, deleting } = nodeBase({ node, claim });
    return {
      view,
      deleting,
      share: shareOf(view),
      facts: {
        id,
        registered,
        initialized,
        offering: offeringOf(view.labels),
        ...(node !== undefined && { node }),
        ...(claim !== undefined && { nodeClaim: claim }),
      },
    };
  }
}

/** What follows from the objects alone, worked out once for each moment of them. */
interface KnownObjects {
  readonly view: NodeBase['view'];
  readonly deleting: boolean;
  readonly share: PoolShare | undefined;
  readonly facts: Pick<NodeState, 'id' | 'registered' | 'initialized' | 'offering' | 'node' | 'nodeClaim'>;
}

const nobody: Pick<Residents, 'podRequests' | 'daemonRequests' | 'pods'> = {
  podRequests: {},
  daemonRequests: {},
  pods: [],
};

function shareOf({ nodePool, capacity }: NodeBase['view']): PoolShare | undefined {
  if (nodePool === undefined) return undefined;
  return { nodePool, resources: { ...parseResourceList(capacity, 'status.capacity'), nodes: oneNode } };
}

function offeringOf(labels: Readonly<Record<string, string>>): OfferingLabels {
  const instanceType = labels[labelKeys.instanceType];
  const zone = labels[labelKeys.zone];
  const capacityType = labels[labelKeys.capacityType];
  return {
    ...(instanceType !== undefined && { instanceType }),
    ...(zone !== undefined && { zone }),
    ...(capacityType !== undefined && { capacityType }),
  };
}
