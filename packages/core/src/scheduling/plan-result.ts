import type { WrittenRequirement } from '../requirements/index.ts';
import type { QuantityTexts } from '../values/index.ts';
import type { DeviceMeans } from './devices/index.ts';
import type { NodeChoice } from './reasons/node-choice.ts';

/** What to do: every pod of the snapshot is in exactly one of the lists. */
export interface Plan {
  /** Of the snapshot it was made from. */
  readonly revision: number;
  readonly placements: readonly Placement[];
  readonly newNodes: readonly PlannedNode[];
  readonly rejections: readonly Rejection[];
  /**
   * Uids of pods that could use a capacity reservation which this plan has given to others. They wait for the
   * next plan, which knows what was launched; they have not failed, and nobody is told of them.
   */
  readonly deferred: readonly string[];
  /** Uids of pods that were not looked at before the plan was stopped; they go first next time. */
  readonly unevaluated: readonly string[];
}

/** Pods that go to a node that exists or is on its way. */
export interface Placement {
  readonly node: string;
  /** Uids. */
  readonly pods: readonly string[];
}

/** A NodeClaim to be made. */
export interface PlannedNode {
  readonly nodePool: string;
  /** As the NodeClaim will state them, instance types excepted. */
  readonly requirements: readonly WrittenRequirement[];
  /** Instance types within reach, the cheapest first. */
  readonly instanceTypes: readonly string[];
  /** Uids. */
  readonly pods: readonly string[];
  /** Of the pods and the daemons together. */
  readonly requests: QuantityTexts;
  /** Of the cheapest available offering that the requirements allow, in dollars an hour. */
  readonly price: number;
  /** Drivers of the devices that its pods claim of it; absent where they claim none. */
  readonly drivers?: readonly string[];
  /** Why it is this node and no other. */
  readonly choice: NodeChoice;
}

export interface Rejection {
  /** Uid. */
  readonly pod: string;
  /** One reason for each NodePool that was tried, in the order they were tried. */
  readonly reasons: readonly PoolRejection[];
  /** The sentence that an event gives, after `Failed to schedule pod, `. */
  readonly message: string;
}

/** Which of the checks failed. */
export type FailedCheck =
  | 'taints'
  | 'requirements'
  | 'offering'
  | 'resources'
  | 'limits'
  | 'reservations'
  | 'topology'
  | 'volume'
  | 'devices';

export interface PoolRejection {
  readonly nodePool?: string;
  readonly failed: readonly FailedCheck[];
  readonly message: string;
  /** The smallest change that would give the pod a place here, where there is one. */
  readonly advice?: string;
}

export type { StepSignal as PlanSignal } from '../yielding/index.ts';

export interface PlanOptions {
  /** `Ignore` treats preferences as if nobody had written them. */
  readonly preferencePolicy: 'Respect' | 'Ignore';
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
  /** Labels that instance types answer for, so that they may be undefined on a node yet to be made. */
  readonly wellKnownLabels: ReadonlySet<string>;
  /** Other spellings of label keys. */
  readonly labelAliases: ReadonlyMap<string, string>;
  /** Uids of pods that the last plan did not get to: they go first. */
  readonly first?: ReadonlySet<string>;
  /** Absent while the gate ReservedCapacity is off: then offerings of reservations are like all others. */
  readonly reservedCapacity?: ReservedCapacity;
  /** Absent where resource claims are of no concern. */
  readonly devices?: DeviceMeans;
}

/** How capacity reservations are used. */
export interface ReservedCapacity {
  /** The label by which an offering names its reservation. */
  readonly idLabel: string;
  /**
   * What pods do that could use a reservation when there is none left for them: in `strict` mode, which is that
   * of provisioning, they wait for the next plan; in `fallback` mode they take other capacity.
   */
  readonly mode: 'strict' | 'fallback';
}
