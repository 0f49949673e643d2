import { labelKeys, type NodeClaim } from '../../api/index.ts';
import type { NodeView } from '../../scheduling/index.ts';
import {
  parseResourceList,
  quantityFromInteger,
  type ResourceList,
  withResource,
} from '../../values/index.ts';
import type { ClusterNode } from '../cluster-object.ts';
import { OrderedMap } from '../collections/ordered-map.ts';
import type { BoundPods } from '../pods/bound-pods.ts';
import { type NodeBase, nodeBase } from './node-base.ts';
import type { NodeState, OfferingLabels } from './node-state.ts';
import { Nominations } from './nominations.ts';

/** What one node adds to the totals of its NodePool. */
export interface PoolShare {
  readonly nodePool: string;
  readonly resources: ResourceList;
}

/** Inputs of a node's state that the entry does not hold itself. */
export interface NodeContext {
  readonly bound: NodePods | undefined;
  readonly volumeLimits: NodeView['volumeLimits'] | undefined;
}

const oneNode = quantityFromInteger(1);

/** One instance: its Node and NodeClaim, and the facts about it, which are dropped with its last object. */
export class NodeEntry {
  readonly id: string;
  /** Usually one of each. If two objects claim the same provider id, the first by name counts. */
  readonly nodes = new OrderedMap<ClusterNode>();
  readonly claims = new OrderedMap<NodeClaim>();
  readonly nominations = new Nominations();
  bufferPods = 0;
  #isMarked = false;
  #objects: DerivedObjects | undefined;

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

  /** Marked by a command of this process. */
  get isMarked(): boolean {
    return this.#isMarked;
  }

  /** Marked by this process, or being deleted. */
  get markedForDeletion(): boolean {
    return this.#isMarked || this.#derived.base.deleting;
  }

  mark(isMarked: boolean): boolean {
    const hasChanged = this.#isMarked !== isMarked;
    this.#isMarked = isMarked;
    return hasChanged;
  }

  /** Invalidates the derived state after one of the objects changed. */
  forgetObjects(): void {
    this.#objects = undefined;
  }

  /** What the node adds to the totals of its NodePool. Nodes marked for deletion add nothing. */
  get share(): PoolShare | undefined {
    return this.markedForDeletion ? undefined : this.#derived.share;
  }

  state({ bound = noPods, volumeLimits }: NodeContext): NodeState {
    const { base, offering } = this.#derived;
    const markedForDeletion = this.markedForDeletion;
    return {
      id: this.id,
      view: nodeView(base.view, { bound, volumeLimits, deleting: markedForDeletion }),
      node: this.node,
      nodeClaim: this.claim,
      pods: bound.pods,
      registered: base.registered,
      initialized: base.initialized,
      markedForDeletion,
      nominatedUntil: this.nominations.until,
      bufferPods: this.bufferPods,
      offering,
    };
  }

  get #derived(): DerivedObjects {
    this.#objects ??= this.#read();
    return this.#objects;
  }

  #read(): DerivedObjects {
    const base = nodeBase({ node: this.node, claim: this.claim });
    return { base, share: shareOf(base.view), offering: offeringOf(base.view.labels) };
  }
}

/** Derived from the objects alone and cached until one of them changes. */
interface DerivedObjects {
  readonly base: NodeBase;
  readonly share: PoolShare | undefined;
  readonly offering: OfferingLabels;
}

type NodePods = Pick<BoundPods, 'podRequests' | 'daemonRequests' | 'pods'>;

const noPods: NodePods = { podRequests: {}, daemonRequests: {}, pods: [] };

interface Occupancy {
  readonly bound: NodePods;
  readonly volumeLimits: NodeView['volumeLimits'] | undefined;
  readonly deleting: boolean;
}

/**
 * Assigns field by field so that all views have one hidden class: spreading doubles the time of a snapshot.
 */
function nodeView(base: NodeBase['view'], { bound, volumeLimits, deleting }: Occupancy): NodeView {
  const view: { -readonly [K in keyof NodeView]: NodeView[K] } = {
    name: base.name,
    labels: base.labels,
    taints: base.taints,
    initialized: base.initialized,
    deleting,
    capacity: base.capacity,
    allocatable: base.allocatable,
    podRequests: bound.podRequests,
    daemonRequests: bound.daemonRequests,
  };
  if (base.nodeClaim !== undefined) view.nodeClaim = base.nodeClaim;
  if (base.nodePool !== undefined) view.nodePool = base.nodePool;
  if (volumeLimits !== undefined) view.volumeLimits = volumeLimits;
  if (base.isLeaving === true) view.isLeaving = true;
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
