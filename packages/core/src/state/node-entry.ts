import { labelKeys, type NodeClaim } from '../api/index.ts';
import { noResources, parseResourceList, quantityFromInteger, type ResourceList } from '../values/index.ts';
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
  #base: NodeBase | undefined;
  #capacity: ResourceList = noResources;

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
    this.#base = undefined;
  }

  /** What it adds to the totals of its NodePool; nodes on their way out add nothing. */
  share(): PoolShare | undefined {
    const { nodePool } = this.#known.view;
    if (nodePool === undefined || this.markedForDeletion) return undefined;
    return { nodePool, resources: { ...this.#capacity, nodes: oneNode } };
  }

  state({ residents, volumeLimits }: NodeSurroundings): NodeState {
    const { view, registered, initialized } = this.#known;
    const { node, claim, nominatedUntil } = this;
    return Object.freeze({
      id: this.id,
      view: Object.freeze({
        ...view,
        deleting: this.markedForDeletion,
        podRequests: residents?.podRequests ?? {},
        daemonRequests: residents?.daemonRequests ?? {},
        ...(volumeLimits !== undefined && { volumeLimits }),
      }),
      ...(node !== undefined && { node }),
      ...(claim !== undefined && { nodeClaim: claim }),
      pods: residents?.pods ?? [],
      registered,
      initialized,
      markedForDeletion: this.markedForDeletion,
      ...(nominatedUntil !== undefined && { nominatedUntil }),
      bufferPods: this.bufferPods,
      offering: offeringOf(view.labels),
    });
  }

  get #known(): NodeBase {
    if (this.#base === undefined) {
      this.#base = nodeBase({ node: this.node, claim: this.claim });
      this.#capacity = parseResourceList(this.#base.view.capacity, 'status.capacity');
    }
    return this.#base;
  }
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
