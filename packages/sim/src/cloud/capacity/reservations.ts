import type { Clock } from '@karpenter/kube/runtime';
import type { Machines } from '../ec2/machines.ts';
import type { Agenda } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import { CapacityReservation, type CapacityReservationFacts } from '../world/capacity-reservation.ts';
import type { Instance } from '../world/instance.ts';
import type { World } from '../world/world.ts';

export interface ReservationsOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly agenda: Agenda<AgendaTask>;
  readonly machines: Machines;
}

/** Machines of a capacity block are taken away so long before it ends. */
const blockLeadMs = 1_800_000;

/** Reservations begin and end; what then becomes of the instances in them depends on their type. */
export class Reservations {
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

  /** False if there is none. */
  cancel(id: string): boolean {
    const reservation = this.#options.world.capacityReservations.get(id);
    reservation?.cancel();
    this.detach(id);
    return reservation !== undefined;
  }

  /** Terminates the instances of a capacity block before it ends. */
  empty(id: string): void {
    for (const instance of this.#within(id)) {
      this.#options.machines.terminate(instance, 'Server.CapacityBlockExpired');
    }
  }

  /** The instances stay and are from then on paid for as any other. */
  detach(id: string): void {
    for (const instance of this.#within(id)) {
      delete instance.capacityReservationId;
      this.#options.world.capacityReservations.get(id)?.giveBack();
    }
  }

  #within(id: string): readonly Instance[] {
    return [...this.#options.world.instances.values()].filter(
      (instance) => instance.capacityReservationId === id && instance.state !== 'terminated',
    );
  }
}
