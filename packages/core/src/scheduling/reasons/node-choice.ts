/** Why a new node is what it is, as data. */
export interface NodeChoice {
  /** What it would be launched as at its price. */
  readonly offering: ChosenOffering;
  /** How much of it pods and daemons use together: a share from 0 to 1 for each resource that they ask for. */
  readonly fill: Readonly<Record<string, number>>;
  /** The dearest of the cheaper offerings that the pods allow; absent where none is cheaper. */
  readonly tooSmall?: ChosenOffering;
  /** Resources of which that one has too little. */
  readonly bindingResources: readonly string[];
  /** What else would hold the same pods, of other types or capacity types, the cheapest first. */
  readonly alternatives: readonly ChosenOffering[];
  readonly narrowings: readonly Narrowing[];
  /** Pools that come before its own and refused some of its pods. */
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

/** One requirement of the node, and who asked for it. */
export interface Narrowing {
  readonly key: string;
  /** As messages give it. */
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
  /** Of the first pod that it refused. */
  readonly message: string;
}
