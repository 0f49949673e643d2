import type { EventDefinition, NodeClaim } from '@karpenter/core/api';
import type { KubeObject } from '@karpenter/kube/client';
import type { InterruptionKind } from './interruption-message.ts';

/** A NodeClaim with an interrupted instance, and its Node if it has registered. */
export interface Interrupted {
  readonly claim: NodeClaim;
  readonly node?: KubeObject;
}

/** The actions on the cluster that interruptions need. */
export interface InterruptedCluster {
  /** Returns undefined for instances that do not belong to the cluster. */
  find(instanceId: string): Interrupted | undefined;
  /** Publishes an event on the NodeClaim, and on the Node if there is one. */
  publish(interrupted: Interrupted, definition: EventDefinition, message: string): void;
  /** Deletes the NodeClaim once. Its termination drains the node and respects PodDisruptionBudgets. */
  drain(interrupted: Interrupted, reason: InterruptionKind): Promise<void>;
  /** Like `drain`, but sets the termination timestamp to now, so that the drain ignores PodDisruptionBudgets. */
  terminate(interrupted: Interrupted, reason: InterruptionKind): Promise<void>;
}
