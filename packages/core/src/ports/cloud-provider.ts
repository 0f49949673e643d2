import type { NodeClaim, NodePool } from '../api/index.ts';
import type { DurationMs, Labels, QuantityTexts } from '../values/index.ts';
import type { InstanceType } from './instance-type.ts';

/** A machine of the cloud, in the words of the NodeClaim it belongs to. */
export interface Machine {
  readonly providerId: string;
  readonly imageId: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly capacity: QuantityTexts;
  readonly allocatable: QuantityTexts;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** The cloud is taking it away. */
  readonly isDeleting: boolean;
}

/** A node condition that means that a node will not get well by itself. */
export interface RepairPolicy {
  readonly conditionType: string;
  readonly conditionStatus: string;
  /** How long the condition may hold before the node is replaced. */
  readonly toleration: DurationMs;
}

/** Something that has to happen between the joining of a node and its registration. */
export interface RegistrationHook {
  readonly name: string;
  /** Done, with labels for claim and node if it found any; or to be asked again. A throw counts as not done. */
  registered(claim: NodeClaim): Promise<HookOutcome>;
}

export type HookOutcome =
  | { readonly done: true; readonly labels?: Labels }
  | { readonly done: false; readonly requeueAfter: DurationMs };

export interface NodeClassKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/** All that the controllers know of a cloud. Failures that they act upon are those of `cloud-errors`. */
export interface CloudProvider {
  /** `aws`, in metrics. */
  readonly name: string;
  /** Kinds that a nodeClassRef may name; the first is the default. */
  readonly nodeClasses: readonly NodeClassKind[];
  readonly repairPolicies: readonly RepairPolicy[];
  readonly registrationHooks: readonly RegistrationHook[];
  /**
   * Fails with insufficientCapacity, nodeClassNotReady or launchFailed; any other failure is tried again. A process
   * that ended before it could write down the machine asks again for the same claim: it must get the same machine.
   */
  create(claim: NodeClaim): Promise<Machine>;
  /** Resolves when the end has begun, and is called again until it fails with machineNotFound. */
  delete(claim: NodeClaim): Promise<void>;
  /** Fails with machineNotFound. */
  get(providerId: string): Promise<Machine>;
  list(): Promise<readonly Machine[]>;
  /**
   * Every type that the NodeClass of the pool allows, offerings that cannot be had included. The same list as long
   * as nothing has changed. Fails with nodeClassNotReady where there is no such class.
   */
  instanceTypes(nodePool: NodePool): Promise<readonly InstanceType[]>;
  /** Why the machine no longer is what its NodeClass asks for; undefined while it is. */
  driftReason(claim: NodeClaim): Promise<string | undefined>;
}
