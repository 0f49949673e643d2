import { labelKeys, type NodeClaim } from '../api/index.ts';
import type { NodeView } from '../scheduling/index.ts';
import { parseResourceList, quantityFromInteger, type ResourceList, withResource } from '../values/index.ts';
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
  readonly residents: Tenants | undefined;
  readonly volumeLimits: NodeView['volumeLimits'] | undefined;
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
    return this.#isMarked || this.#known.base.deleting;
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

  state({ residents = nobody, volumeLimits }: NodeSurroundings): NodeState {
    const { base, offering } = this.#known;
    const markedForDeletion = this.markedForDeletion;
    return {
      id: this.id,
      view: nodeView(base.view, { residents, volumeLimits, deleting: markedForDeletion }),
      node: this.node,
      nodeClaim: this.claim,
      pods: residents.pods,
      registered: base.registered,
      initialized: base.initialized,
      markedForDeletion,
      nominatedUntil: this.nominatedUntil,
      bufferPods: this.bufferPods,
      offering,
    };
  }

  get #known(): KnownObjects {
    this.#objects ??= this.#read();
    return this.#objects;
  }

  #read(): KnownObjects {
    const base = nodeBase({ node: this.node, claim: this.claim });
    return { base, share: shareOf(base.view), offering: offeringOf(base.view.labels) };
  }
}

/** What follows from the objects alone, worked out once for each moment of them. */
interface KnownObjects {
  readonly base: NodeBase;
  readonly share: PoolShare | undefined;
  readonly offering: OfferingLabels;
}

type Tenants = Pick<Residents, 'podRequests' | 'daemonRequests' | 'pods'>;

const nobody: Tenants = { podRequests: {}, daemonRequests: {}, pods: [] };

interface Occupancy {
  readonly residents: Tenants;
  readonly volumeLimits: NodeView['volumeLimits'] | undefined;
  readonly deleting: boolean;
}

/** Field by field, so that all views have one shape: spreading takes twice the time of a snapshot. */
function nodeView(base: NodeBase['view'], { residents, volumeLimits, deleting }: Occupancy): NodeView {
  const view: { -readonly [K in keyof NodeView]: NodeView[K] } = {
    name: base.name,
    labels: base.labels,
    taints: base.taints,
    initialized: base.initialized,
    deleting,
    capacity: base.capacity,
    allocatable: base.allocatable,
    podRequests: residents.podRequests,
    daemonRequests: residents.daemonRequests,
  };
  if (base.nodeClaim !== undefined) view.nodeClaim = base.nodeClaim;
  if (base.nodePool !== undefined) view.nodePool = base.nodePool;
  if (volumeLimits !== undefined) view.volumeLimits = volumeLimits;
  return view;
}

function shareOf({ nodePool, capacity }: NodeBase['view']): PoolShare | undefined {
  if (nodePool === undefined) return undefined;
  return {
    nodePool,
    resources: withResource(parseResourceList(capacity, 'status.capacity'), 'nodes', oneNode),
  };
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
