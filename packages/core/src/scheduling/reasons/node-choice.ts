/** Why a planned node is the node it is, as data. */
export interface NodeChoice {
  /** The offering whose price is the price of the node. */
  readonly offering: ChosenOffering;
  /** How much of it pods and daemons request together: a share from 0 to 1 for each requested resource. */
  readonly fill: Readonly<Record<string, number>>;
  /** The most expensive of the cheaper offerings that the pods allow but that is too small for them. */
  readonly tooSmall?: ChosenOffering;
  /** Resources of which `tooSmall` has too little. */
  readonly bindingResources: readonly string[];
  /** Other types or capacity types that would hold the same pods, the cheapest first. */
  readonly alternatives: readonly ChosenOffering[];
  readonly narrowings: readonly Narrowing[];
  /** Pools that come before its own by weight and rejected some of its pods. */
  readonly passedOver: readonly PassedPool[];
}

export interface ChosenOffering {
  readonly instanceType: string;
  readonly zone?: string;
  readonly capacityType?: string;
  /** Id of the capacity reservation. */
  readonly reservation?: string;
  readonly price: number;
}

/** A requirement of the node, and where it comes from. */
export interface Narrowing {
  readonly key: string;
  /** Its text as in messages. */
  readonly requirement: string;
  readonly by: readonly NarrowingSource[];
}

export type NarrowingSource =
  | 'nodepool'
  | 'pods'
  | 'preferences'
  | 'volumes'
  | 'topology spread'
  | 'pod affinity'
  | 'pod anti-affinity'
  | 'reservation';

export interface PassedPool {
  readonly nodePool: string;
  /** The rejection of the first such pod. */
  readonly message: string;
}
