import type { Requirements } from '../../requirements/index.ts';
import type { HostDevices } from '../devices/index.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { PassedPool } from '../reasons/node-choice.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import type { NewNodeRequest } from './new-node.ts';

/**
 * Pods of one class that may go to any new node of a NodePool with these requirements; each is one unit for packing. A
 * shared host is an item of one unit, with all of its pods. Masks are bit sets over kinds: offers that the requirements
 * of the pods cannot tell apart.
 */
export interface PlacementItem {
  readonly template: NodeTemplate;
  /** Classes of the pods; several only where pods must share a host. */
  readonly members: ItemMember[];
  readonly requirements: Requirements;
  /** The requirements before other pods joined the host. */
  readonly firstRequirements: Requirements;
  /** The kinds of offers that the requirements allow. */
  readonly mask: Uint32Array;
  /** Requests of one unit. */
  readonly size: Float64Array;
  /** Whether all pods go to one node: `size` is then their sum and `count` is 1. */
  readonly isSharedHost: boolean;
  /** Devices of the node that its pods claim; packing puts no other item with claims on the node. */
  readonly devices?: HostDevices;
  /** The request that the pool evaluated for the first pod, for explanations. */
  readonly request: NewNodeRequest;
  /** NodePools that were tried before its own and rejected the pods. */
  readonly passedOver: readonly PassedPool[];
  /** Whether its pods count in topology groups that constrain other pods, beyond sharing a host. */
  readonly isCounted: boolean;
  /** Units: pods, or one shared host. */
  count: number;
  /** Whether its pods belong to another NodePool, which has the item itself, and use spare capacity here. */
  readonly usesSpareCapacity?: boolean;
  /** The same pods on a node of another pool, if they count in all topology groups there as they do here. */
  readonly elsewhere?: (template: NodeTemplate) => PlacementItem | undefined;
}

/** Topology groups by hostname of the pods' own constraints, which packing has to satisfy on each node. */
export interface HostGroups {
  /** Apply to selected pods in either order of placement. */
  readonly required: readonly TopologyGroup[];
  /**
   * Preferred anti-affinity: the pods avoid nodes with selected pods, but selected pods may join them later.
   */
  readonly preferred: readonly TopologyGroup[];
}

export interface ItemMember {
  readonly podClass: PodClass;
  /** Index of the step of relaxation. */
  readonly step: number;
  readonly hostGroups: HostGroups;
  /** Uids, taken from the front. */
  readonly pods: string[];
}
