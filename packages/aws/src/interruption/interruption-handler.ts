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
  /** CandidateMessage of nodes that EC2 recommends to move away from; nobody is unless the policy is `Replace`. */
  readonly onRebalance?: (interrupted: Interrupted) => void;
}

/** Does what an interruption calls for, wherever it was heard of. */
export class InterruptionHandler {
  readonly #options: InterruptionHandlerOptions;

  constructor(options: InterruptionHandlerOptions) {
    this.#options = options;
  }

  /** Instances that are not of this cluster are passed over in silence: the queue may be shared. */
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
    this.#learn(interrupted.claim, kind);
    if (kind === interruptionKinds.rebalanceRecommendation) onRebalance?.(interrupted);
    if (action === 'drain') await cluster.drain(interrupted, kind);
    if (action === 'terminate') await cluster.terminate(interrupted, kind);
  }

  /** Where EC2 takes instances back, new ones would not last. */
  #learn({ metadata: { labels = {} } }: NodeClaim, kind: InterruptionKind): void {
    if (kind === interruptionKinds.spotInterrupted) this.#markSpot(labels);
    if (kind === interruptionKinds.capacityReservationInterrupted) this.#emptyReservation(labels);
  }

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
