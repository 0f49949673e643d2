import type { NodeClaim } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import type { WatchCache } from '@karpenter/kube/cache';
import { isNotFound, type KubeWriter } from '@karpenter/kube/client';
import type { ReconcileResult, Singleton } from '@karpenter/kube/runtime';
import { nodeClaims } from '../kinds.ts';
import { awsControllerNames, awsLabelKeys, awsReconcilePeriods, interruptionTuning } from '../names/index.ts';
import type { CapacityReservationStatus } from '../node-class/index.ts';
import { inParallel } from './parallel-work.ts';

/** Looks up capacity reservations; missing ones are left out of the result. */
interface ReservationLookup {
  resolve(
    terms: readonly { readonly id: string }[],
  ): Promise<readonly Pick<CapacityReservationStatus, 'id' | 'state'>[]>;
}

export interface CapacityBlockOptions {
  readonly client: Pick<KubeWriter, 'delete'>;
  readonly claims: WatchCache<NodeClaim>;
  readonly reservations: ReservationLookup;
  readonly log: Log;
}

/**
 * Deletes NodeClaims of an expiring capacity block, so
 * that nodes drain before EC2 terminates their instances.
 */
export class CapacityBlockController implements Singleton {
  readonly name = awsControllerNames.capacityReservationExpiration;
  readonly #options: CapacityBlockOptions;

  constructor(options: CapacityBlockOptions) {
    this.#options = options;
  }

  async reconcile(): Promise<ReconcileResult> {
    const { claims, reservations } = this.#options;
    const active = claims.list().filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const ids = [...new Set(active.flatMap((claim) => reservationOf(claim) ?? []))];
    const found = ids.length === 0 ? [] : await reservations.resolve(ids.map((id) => ({ id })));
    const expiring = new Set(found.filter(({ state }) => state === 'expiring').map(({ id }) => id));
    const affected = active.filter((claim) => expiring.has(reservationOf(claim) ?? ''));
    await inParallel(affected, interruptionTuning.parallel, (claim) => this.#delete(claim));
    return { requeueAfter: awsReconcilePeriods.capacityReservations };
  }

  async #delete(claim: NodeClaim): Promise<void> {
    const { client, log } = this.#options;
    const { name } = claim.metadata;
    try {
      await client.delete(nodeClaims, { name });
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    log.info('initiating delete for capacity block expiration', {
      NodeClaim: { name },
      'capacity-reservation-id': reservationOf(claim) ?? '',
    });
  }
}

function reservationOf({ metadata }: NodeClaim): string | undefined {
  return metadata.labels?.[awsLabelKeys.capacityReservationId];
}
