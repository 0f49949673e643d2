import type { EventDefinition, NodeClaim } from '@karpenter/core/api';
import type { KubeObject } from '@karpenter/kube/client';
import type { InterruptionKind } from './interruption-message.ts';

/** A NodeClaim whose instance something happens to, and its Node if it has joined. */
export interface Interrupted {
  readonly claim: NodeClaim;
  readonly node?: KubeObject;
}

/** The cluster, as far as interruptions concern it. */
export interface InterruptedCluster {
  /** Nothing for instances that are not of this cluster. */
  find(instanceId: string): Interrupted | undefined;
  /** Tells it on the NodeClaim, and on the Node if there is one. */
  publish(interrupted: Interrupted, definition: EventDefinition, message: string): void;
  /** Deletes the NodeClaim unless that was done; its pods are drained as their budgets allow. */
  drain(interrupted: Interrupted, reason: InterruptionKind): Promise<void>;
  /** As `drain`, but pods and their budgets get no more time. */
  terminate(interrupted: Interrupted, reason: InterruptionKind): Promise<void>;
}
