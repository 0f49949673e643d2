import type { NodeClaim } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import type { Clock, EventRecorder, Instant } from '@karpenter/kube/runtime';
import { fleetErrorCodes } from '../aws-errors/index.ts';
import { nodeClaims } from '../kinds.ts';
import { awsEvents, cacheLifetimes } from '../names/index.ts';

export interface SpotRoleNoticeOptions {
  readonly events: Pick<EventRecorder, 'publish'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Publishes an event if the account lacks the service-linked role of spot, and logs how to create it. */
export class SpotRoleNotice {
  readonly #options: SpotRoleNoticeOptions;
  #quietUntil: Instant = Number.NEGATIVE_INFINITY;

  constructor(options: SpotRoleNoticeOptions) {
    this.#options = options;
  }

  publish(claim: NodeClaim): void {
    const { events, clock, log } = this.#options;
    events.publish({
      definition: awsEvents.spotRoleCreationNotPermitted,
      kind: nodeClaims,
      object: claim,
      message: `Attempted to launch a spot instance but failed due to "${fleetErrorCodes.spotRoleNotPermitted}"`,
    });
    // All claims of a batch fail with it. One log line is enough for the time that spot stays unavailable.
    if (clock.now() < this.#quietUntil) return;
    this.#quietUntil = clock.now() + cacheLifetimes.unavailableOfferings;
    log.error(
      'the account has no service-linked role for spot instances and the controller may not create it',
      {
        NodeClaim: { name: claim.metadata.name },
        'error-code': fleetErrorCodes.spotRoleNotPermitted,
        hint: 'aws iam create-service-linked-role --aws-service-name spot.amazonaws.com',
      },
    );
  }
}
