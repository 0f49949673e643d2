import type { CapacityReservation, DescribeCapacityReservationsCommandInput } from '@aws-sdk/client-ec2';
import type { Log } from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { isNotFound } from '../aws-errors/index.ts';
import { allPages, ChangeMonitor, ExpiringMap, pageAfter } from '../caching/index.ts';
import { canonicalText } from '../launch-templates/index.ts';
import { cacheLifetimes } from '../names/index.ts';
import type { CapacityReservationSelectorTerm, CapacityReservationStatus } from '../node-class/index.ts';
import type { Ec2 } from '../ports/index.ts';
import { isSelecting, reservationQuery } from './reservation-queries.ts';
import { hasEnded, reservationStatus } from './reservation-status.ts';

export interface ReservationProviderOptions {
  readonly ec2: Pick<Ec2, 'describeCapacityReservations'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives the free instances of each reservation with every response of EC2. */
  readonly counts: { read(free: ReadonlyMap<string, number>): void };
}

/** Resolves the capacity reservations that an EC2NodeClass selects. */
export class CapacityReservationProvider {
  readonly #options: ReservationProviderOptions;
  readonly #responses: ExpiringMap<string, readonly CapacityReservation[]>;
  readonly #seen = new ChangeMonitor();

  constructor(options: ReservationProviderOptions) {
    this.#options = options;
    this.#responses = new ExpiringMap({ clock: options.clock, lifetime: cacheLifetimes.default });
  }

  /**
   * Returns the reservations for `status.capacityReservations`,
   * sorted by id; possibly none. Rejects if EC2 fails.
   */
  async resolve(
    terms: readonly CapacityReservationSelectorTerm[],
  ): Promise<readonly CapacityReservationStatus[]> {
    const now = this.#options.clock.now();
    const responses = await Promise.all(
      terms.filter(isSelecting).map((term) => this.#fetch(reservationQuery(term))),
    );
    const live = responses.flat().filter((reservation) => !hasEnded(reservation, now));
    const byId = new Map(live.map((reservation) => [reservation.CapacityReservationId ?? '', reservation]));
    return [...byId]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, reservation]) => this.#statusOf(reservation) ?? []);
  }

  #statusOf(reservation: CapacityReservation): CapacityReservationStatus | undefined {
    const { clock, log } = this.#options;
    const status = reservationStatus(reservation, clock.now());
    if (status === undefined) {
      log.error('capacity reservation of an unknown kind is left out', {
        id: reservation.CapacityReservationId ?? '',
        'instance-match-criteria': reservation.InstanceMatchCriteria ?? '',
        'reservation-type': reservation.ReservationType ?? '',
      });
    }
    return status;
  }

  async #fetch(query: DescribeCapacityReservationsCommandInput): Promise<readonly CapacityReservation[]> {
    const key = canonicalText(query);
    const known = this.#responses.get(key);
    if (known !== undefined) return known;
    const response = await this.#describe(query);
    this.#responses.set(key, response);
    const ids = response.flatMap(({ CapacityReservationId: id }) => id ?? []);
    if (this.#seen.isNews(key, ids) && ids.length > 0) {
      this.#options.log.debug('discovered capacity reservations', { ids });
    }
    this.#options.counts.read(
      new Map(
        response.map(({ CapacityReservationId: id = '', AvailableInstanceCount: free = 0 }) => [id, free]),
      ),
    );
    return response;
  }

  /** An id that EC2 does not know matches nothing, like any other selector. */
  async #describe(query: DescribeCapacityReservationsCommandInput): Promise<readonly CapacityReservation[]> {
    try {
      return await allPages(
        (token) => this.#options.ec2.describeCapacityReservations({ ...query, ...pageAfter(token) }),
        ({ CapacityReservations }) => CapacityReservations,
      );
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }
}
