import type { WrittenRequirement } from '../requirements/index.ts';
import type { QuantityTexts } from '../values/index.ts';
import type { DeviceAllocationPort } from './devices/index.ts';
import type { NodeChoice } from './reasons/node-choice.ts';

/** A decision for every pod of the snapshot: each is in exactly one of the lists. */
export interface Plan {
  /** Of the snapshot it was made from. */
  readonly revision: number;
  readonly placements: readonly Placement[];
  readonly newNodes: readonly PlannedNode[];
  readonly rejections: readonly Rejection[];
  /**
   * Uids of pods that could use a capacity reservation whose instances this plan assigned to other pods. They
   * wait for the next plan, which knows what was launched. As in Karpenter they have not failed and get no
   * event.
   */
  readonly deferred: readonly string[];
  /**
   * Uids of pods that were not evaluated before the plan was stopped; pass them as `PlanOptions.first` next
   * time.
   */
  readonly unevaluated: readonly string[];
}

/** Pods that go to a node that exists or is in flight. */
export interface Placement {
  readonly node: string;
  /** Uids. */
  readonly pods: readonly string[];
}

/** A NodeClaim to create. */
export interface PlannedNode {
  readonly nodePool: string;
  /** Requirements of the NodeClaim, without the list of instance types. */
  readonly requirements: readonly WrittenRequirement[];
  /** Instance types it may launch as, the cheapest first. */
  readonly instanceTypes: readonly string[];
  /** Uids. */
  readonly pods: readonly string[];
  /** Of its pods and, once, of the daemons. */
  readonly requests: QuantityTexts;
  /** Of the cheapest available offering that the requirements allow, in dollars an hour. */
  readonly price: number;
  /** DRA drivers of the devices that its pods claim on it; absent without claims. */
  readonly drivers?: readonly string[];
  /** Why it is this node. Computed when first read. */
  readonly choice: NodeChoice;
}

export interface Rejection {
  /** Uid. */
  readonly pod: string;
  /** One reason for each NodePool that was tried, in the order they were tried. */
  readonly reasons: readonly PoolRejection[];
  /** The text of the event after `Failed to schedule pod, `. */
  readonly message: string;
}

/** The check of a pod against a NodePool that failed. */
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
  /** The smallest change that would let the NodePool take the pod, if a single change would. */
  readonly advice?: string;
}

export interface PlanOptions {
  /** `Ignore` plans as if pods had no preferences. */
  readonly preferencePolicy: 'Respect' | 'Ignore';
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
  /**
   * The least that a node costs besides its instance, in dollars per hour, if its NodePool has no annotation for the
   * part that the cloud provider does not know (ADR 0057). Defaults to `nodeOverheadPrice`.
   */
  readonly nodeOverheadPrice?: number;
  /**
   * Labels that instance types define: a pod may require them although the NodePool does not mention them.
   */
  readonly wellKnownLabels: ReadonlySet<string>;
  /** Other spellings of label keys, each with the key it stands for. */
  readonly labelAliases: ReadonlyMap<string, string>;
  /** Uids of pods that the last plan left unevaluated: they are placed first. */
  readonly first?: ReadonlySet<string>;
  /**
   * Absent while the gate ReservedCapacity is off: offerings of reservations then count as any other
   * offering.
   */
  readonly reservedCapacity?: ReservedCapacity;
  /** Absent where plans ignore resource claims. */
  readonly devices?: DeviceAllocationPort;
}

/** How a plan uses capacity reservations. */
export interface ReservedCapacity {
  /** The label by which an offering names its reservation. */
  readonly idLabel: string;
  /**
   * What becomes of pods that could use a reservation when no instance is left: in `strict` mode, which
   * provisioning uses, they are deferred to the next plan; in `fallback` mode, which disruption uses, they
   * take other capacity.
   */
  readonly mode: 'strict' | 'fallback';
}
