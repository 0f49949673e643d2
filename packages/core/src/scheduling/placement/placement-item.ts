import type { Requirements } from '../../requirements/index.ts';
import type { HostDevices } from '../devices/index.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { PassedPool } from '../reasons/node-choice.ts';
import type { TopologyGroup } from '../topology/topology-group.ts';
import type { FreshQuestion } from './fresh-node.ts';

/** Pods that may be put on any new node that meets their requirements: what is packed. */
export interface PlacementItem {
  readonly template: NodeTemplate;
  /** Classes of the pods; several only where pods must share a host. */
  readonly members: ItemMember[];
  readonly requirements: Requirements;
  /** The same before others came to share the host. */
  readonly firstRequirements: Requirements;
  readonly mask: Uint32Array;
  /** Of one unit. */
  readonly size: Float64Array;
  /** Whether all pods of all members go to one node; then the size is theirs together and the count one. */
  readonly isSharedHost: boolean;
  /** What its pods claim of the node; such a node takes no other that has claims. */
  readonly devices?: HostDevices;
  /** What was asked of the pool, for the first pod. */
  readonly question: FreshQuestion;
  /** Pools that were asked before. */
  readonly passedOver: readonly PassedPool[];
  /** Whether where its pods go bears on where others may go: on other hosts too, or because those must follow. */
  readonly isCounted: boolean;
  /** Units: pods, or one shared host. */
  count: number;
  /** Whether it stands for pods of another pool, which has the item proper. */
  readonly usesSpareCapacity?: boolean;
  /** The same pods as they would be on a node of another pool, if they bear on others there as they do here. */
  readonly elsewhere?: (template: NodeTemplate) => PlacementItem | undefined;
}

/** Groups by host name that pods must satisfy on their node. */
export interface HostGroups {
  /** Whoever is selected must stay away, now and later. */
  readonly required: readonly TopologyGroup[];
  /** The pods stay away from those that were there first; others may come to them. */
  readonly preferred: readonly TopologyGroup[];
}

export interface ItemMember {
  readonly podClass: PodClass;
  /** How far they had to be relaxed. */
  readonly step: number;
  readonly hostGroups: HostGroups;
  /** Uids, taken from the front. */
  readonly pods: string[];
}
