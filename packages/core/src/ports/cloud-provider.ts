import type { NodeClaim, NodePool } from '../api/index.ts';
import type { DurationMs, Labels, QuantityTexts } from '../values/index.ts';
import type { InstanceType } from './instance-type.ts';

/** An instance of the cloud provider, described by the fields of the NodeClaim it belongs to. */
export interface CloudInstance {
  readonly providerId: string;
  readonly imageId: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly capacity: QuantityTexts;
  readonly allocatable: QuantityTexts;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  /** The instance is terminating. */
  readonly isDeleting: boolean;
}

/** State of an instance after a request to terminate it: it still exists, or it no longer does. */
export type Termination = 'terminating' | 'gone';

/** A node condition that means the node will not recover by itself. */
export interface RepairPolicy {
  readonly conditionType: string;
  readonly conditionStatus: string;
  /** How long the condition may last before the node is replaced. */
  readonly toleration: DurationMs;
}

/** Work that must be done between a node joining and its registration. */
export interface RegistrationHook {
  readonly name: string;
  /**
   * Either done, with labels for claim and node if there are any, or to be called again. Throwing means not
   * done.
   */
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

/**
 * Everything the controllers know of a cloud. `cloud-errors.ts` has the errors that they act upon; on any
 * other rejection the controller retries with backoff.
 */
export interface CloudProvider {
  /** Value of the provider label in metrics, such as `aws`. */
  readonly name: string;
  /** Kinds that a nodeClassRef may name; the first is the default. */
  readonly nodeClasses: readonly NodeClassKind[];
  readonly repairPolicies: readonly RepairPolicy[];
  readonly registrationHooks: readonly RegistrationHook[];
  /**
   * Annotations that must be stored on the claim before `create`, because another process may have to repeat the launch;
   * empty once they are there. The controller stores them in the write that adds its finalizer.
   */
  launchAnnotations?(claim: NodeClaim): Labels;
  /**
   * Launches an instance. Rejects with insufficientCapacity, nodeClassNotReady or launchFailed; other errors
   * are retried. Must be idempotent over processes: when one ended before it recorded the instance, the next calls for
   * the same claim and must get the same instance. A process that has got the instance does not call again.
   */
  create(claim: NodeClaim): Promise<CloudInstance>;
  /** Starts the termination of the instance. Callers repeat the call until the instance is gone. */
  delete(claim: NodeClaim): Promise<Termination>;
  /** Undefined if there is no such instance. */
  get(providerId: string): Promise<CloudInstance | undefined>;
  /** All instances of this cluster, including terminating ones. */
  list(): Promise<readonly CloudInstance[]>;
  /**
   * All instance types that the NodeClass of the pool allows, with unavailable offerings included. Returns
   * the same array while nothing has changed, so callers may cache by identity. Rejects with
   * nodeClassNotReady if the class is missing.
   */
  instanceTypes(nodePool: NodePool): Promise<readonly InstanceType[]>;
  /**
   * Why the instance differs from what its NodeClass specifies; undefined while it does not. Rejects with
   * instanceNotFound if the comparison needs an instance that no longer exists.
   */
  driftReason(claim: NodeClaim): Promise<string | undefined>;
}
