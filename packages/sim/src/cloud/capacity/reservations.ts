import type { Clock } from '@karpenter/kube/runtime';
import type { InstanceLifecycle } from '../ec2/instance-lifecycle.ts';
import type { Agenda } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import { CapacityReservation, type CapacityReservationFacts } from '../world/capacity-reservation.ts';
import type { Instance } from '../world/instance.ts';
import type { CloudWorld } from '../world/world.ts';

export interface ReservationsOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly agenda: Agenda<AgendaTask>;
  readonly lifecycle: InstanceLifecycle;
}

/** EC2 terminates the instances of a capacity block this long before the block ends. */
const blockLeadMs = 1_800_000;

/**
 * Adds and ends capacity reservations. At the end the instances of a capacity block are terminated, and those
 * of other reservations continue as on-demand.
 */
export class SimulatedReservations {
  readonly #options: ReservationsOptions;

  constructor(options: ReservationsOptions) {
    this.#options = options;
  }

  add(facts: CapacityReservationFacts): CapacityReservation {
    const { world, agenda } = this.#options;
    const reservation = new CapacityReservation(facts);
    world.capacityReservations.set(facts.id, reservation);
    const { id: reservationId, endsAt, reservationType } = facts;
    if (endsAt === undefined) return reservation;
    if (reservationType === 'capacity-block')
      agenda.at(endsAt - blockLeadMs, { kind: 'empty-block', reservationId });
    agenda.at(endsAt, { kind: 'end-reservation', reservationId });
    return reservation;
  }

  /** Cancels a reservation; its instances continue. False if the id is unknown. */
  cancel(id: string): boolean {
    const reservation = this.#options.world.capacityReservations.get(id);
    reservation?.cancel();
    this.detach(id);
    return reservation !== undefined;
  }

  /** Terminates the instances of a capacity block before it ends. */
  empty(id: string): void {
    for (const instance of this.#instancesOf(id)) {
      this.#options.lifecycle.terminate(instance, 'Server.CapacityBlockExpired');
    }
  }

  /** Removes the instances from the reservation; they keep running and are billed as on-demand. */
  detach(id: string): void {
    for (const instance of this.#instancesOf(id)) {
      delete instance.capacityReservationId;
      this.#options.world.capacityReservations.get(id)?.giveBack();
    }
  }

  #instancesOf(id: string): readonly Instance[] {
    return [...this.#options.world.instances.values()].filter(
      (instance) => instance.capacityReservationId === id && instance.state !== 'terminated',
    );
  }
}
