import { capacityTypes, labelKeys, type NodeClaim } from '@karpenter/core/api';
import type { Log } from '@karpenter/core/ports';
import { awsLabelKeys, interruptionKinds } from '../names/index.ts';
import type { ReservationCounts, UnavailableOfferings } from '../offerings/index.ts';
import type { Interrupted, InterruptedCluster } from './interrupted.ts';
import type { InterruptionKind } from './interruption-message.ts';
import { type Response, responseTo } from './response.ts';

export interface InterruptionHandlerOptions {
  readonly cluster: InterruptedCluster;
  readonly unavailable: Pick<UnavailableOfferings, 'markUnavailable'>;
  readonly reservations: Pick<ReservationCounts, 'markUnavailable'>;
  readonly log: Log;
  /** Called for each rebalance recommendation. Absent unless the rebalance policy is `Replace`. */
  readonly onRebalance?: (interrupted: Interrupted) => void;
}

/** Responds to interruptions from the queue and from instance status checks. */
export class InterruptionHandler {
  readonly #options: InterruptionHandlerOptions;

  constructor(options: InterruptionHandlerOptions) {
    this.#options = options;
  }

  /**
   * Ignores instances of other clusters, which may share the
   * queue. Handles all instances, then rejects if one failed.
   */
  async handle(kind: InterruptionKind, instanceIds: readonly string[]): Promise<void> {
    const response = responseTo(kind);
    if (response === undefined) return;
    const ours = instanceIds.flatMap((id) => this.#options.cluster.find(id) ?? []);
    const handled = await Promise.allSettled(ours.map((each) => this.#respond(each, kind, response)));
    const failure = handled.find((each) => each.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async #respond(interrupted: Interrupted, kind: InterruptionKind, response: Response): Promise<void> {
    const { cluster, onRebalance } = this.#options;
    const { action, event } = response;
    cluster.publish(interrupted, event.definition, event.message);
    // Before the drain, whose pods the planner places again: not on the offering that EC2 takes back.
    this.#markUnavailable(interrupted.claim, kind);
    if (kind === interruptionKinds.rebalanceRecommendation) onRebalance?.(interrupted);
    if (action === 'drain') await cluster.drain(interrupted, kind);
    if (action === 'terminate') await cluster.terminate(interrupted, kind);
  }

  /**
   * Marks the offering of a reclaimed instance unavailable: EC2 would soon reclaim a new instance there too.
   */
  #markUnavailable({ metadata: { labels = {} } }: NodeClaim, kind: InterruptionKind): void {
    if (kind === interruptionKinds.spotInterrupted) this.#markSpot(labels);
    if (kind === interruptionKinds.capacityReservationInterrupted) this.#emptyReservation(labels);
  }

  /** Not scoped to a placement group, even if the instance was in one, as in Karpenter. */
  #markSpot(labels: Readonly<Record<string, string>>): void {
    const zone = labels[labelKeys.zone] ?? '';
    const instanceType = labels[labelKeys.instanceType] ?? '';
    if (zone === '' || instanceType === '') return;
    const reason = interruptionKinds.spotInterrupted;
    const capacityType = capacityTypes.spot;
    this.#options.unavailable.markUnavailable({ instanceType, zone, capacityType, reason });
  }

  #emptyReservation(labels: Readonly<Record<string, string>>): void {
    const id = labels[awsLabelKeys.capacityReservationId] ?? '';
    if (id === '') return;
    const reason = interruptionKinds.capacityReservationInterrupted;
    this.#options.log.debug('marking capacity reservation unavailable', {
      'capacity-reservation-id': id,
      reason,
    });
    this.#options.reservations.markUnavailable(id);
  }
}
