import type { EventDefinition } from '@karpenter/core/api';
import { awsEvents, interruptionKinds } from '../names/index.ts';
import type { InterruptionKind } from './interruption-message.ts';

/** `drain` deletes the NodeClaim as kubectl would. `terminate` does not wait for pods or their budgets. */
type Action = 'none' | 'drain' | 'terminate';

/** The event to publish and the action to take for an interruption. */
export interface Response {
  readonly action: Action;
  readonly event: { readonly definition: EventDefinition; readonly message: string };
}

const unhealthy = {
  definition: awsEvents.instanceUnhealthy,
  message: 'An unhealthy warning was triggered for the instance',
};

type EffectiveKind = Exclude<InterruptionKind, typeof interruptionKinds.noOp>;

/** A rebalance recommendation only publishes an event here, as in Karpenter; rebalance.ts replaces nodes. */
const responses: Readonly<Record<EffectiveKind, Response>> = {
  [interruptionKinds.spotInterrupted]: {
    action: 'drain',
    event: { definition: awsEvents.spotInterrupted, message: 'Spot interruption warning was triggered' },
  },
  [interruptionKinds.rebalanceRecommendation]: {
    action: 'none',
    event: {
      definition: awsEvents.spotRebalanceRecommendation,
      message: 'Spot rebalance recommendation was triggered',
    },
  },
  [interruptionKinds.capacityReservationInterrupted]: {
    action: 'drain',
    event: {
      definition: awsEvents.capacityReservationInterrupted,
      message: 'Capacity Reservation interruption warning was triggered',
    },
  },
  [interruptionKinds.instanceStopped]: {
    action: 'drain',
    event: { definition: awsEvents.instanceStopping, message: 'Instance is stopping' },
  },
  [interruptionKinds.instanceTerminated]: {
    action: 'drain',
    event: { definition: awsEvents.instanceTerminating, message: 'Instance is terminating' },
  },
  [interruptionKinds.scheduledChange]: { action: 'drain', event: unhealthy },
  [interruptionKinds.eventStatus]: { action: 'drain', event: unhealthy },
  /** Pods on a failed instance may never terminate by themselves, so termination does not wait for them. */
  [interruptionKinds.instanceStatus]: { action: 'terminate', event: unhealthy },
  [interruptionKinds.systemStatus]: { action: 'terminate', event: unhealthy },
};

/** Returns the response to an interruption; undefined for messages that need none. */
export function responseTo(kind: InterruptionKind): Response | undefined {
  return kind === interruptionKinds.noOp ? undefined : responses[kind];
}
