import type { NodeTemplate } from '../instance-types/node-template.ts';
import type { RemainingReservations } from '../limits/reservations.ts';
import type { PlacementItem } from '../placement/placement-item.ts';
import type { PlanOptions } from '../plan-result.ts';
import { type NodeLoad, partsOf } from './node-load.ts';

interface ReservedInputs {
  readonly options: PlanOptions;
  readonly template: NodeTemplate;
  readonly reservations: RemainingReservations;
  /** Items that could use a capacity reservation, but none is left. */
  readonly unreserved: ReadonlySet<PlacementItem>;
}

/** A number of nodes with the same load. */
export interface RepeatedLoad {
  readonly load: NodeLoad;
  readonly times: number;
}

/** Whether some offer has room for a load. */
type IsPossible = (load: NodeLoad) => boolean;

/** Assigns what is left of capacity reservations to the loads of one NodePool. */
export class ReservedLoads {
  readonly #inputs: ReservedInputs;

  constructor(inputs: ReservedInputs) {
    this.#inputs = inputs;
  }

  /** Whether the pods wait for a capacity reservation, except where they can join a node that others need. */
  mustWait(item: PlacementItem): boolean {
    const { options, unreserved } = this.#inputs;
    return options.reservedCapacity?.mode === 'strict' && unreserved.has(item);
  }

  /** Whether the node would be created only for pods that have to wait. */
  mustAllWait({ contents, reservation }: NodeLoad): boolean {
    return reservation === undefined && contents.every(({ item }) => this.mustWait(item));
  }

  /**
   * A load that fits on no offer, divided: as much as possible on a first node, and the rest on another. The rest uses
   * the same reservation while that has instances, then other capacity.
   */
  divided(load: NodeLoad, times: number, isPossible: IsPossible): readonly RepeatedLoad[] {
    const [first, rest] = partsOf(load, isPossible);
    if (first === undefined || rest === undefined) return [];
    const { reservations } = this.#inputs;
    const { contents, reservation } = rest;
    const more = reservation === undefined ? 0 : Math.min(times, reservations.left(reservation));
    if (reservation !== undefined) reservations.take(reservation, more);
    const parts = [
      { load: first, times },
      { load: rest, times: more },
      { load: { contents }, times: times - more },
    ];
    return parts.filter((part) => part.times > 0);
  }

  /**
   * Loads for waiting pods, on instances of reservations that packing left. Packing does not know `minValues`, so it
   * may have planned nodes that have to be divided, or none at all.
   */
  onRemaining(load: NodeLoad, times: number, isPossible: IsPossible): readonly NodeLoad[] {
    const found: NodeLoad[] = [];
    for (let node = 0; node < times; node++) {
      const parts = this.#onOne(load, isPossible);
      if (parts.length === 0) break;
      found.push(...parts);
    }
    return found;
  }

  /** Id of a reservation with an instance left that has room for the load. */
  remainingFor(load: NodeLoad, isPossible: IsPossible): string | undefined {
    return this.#remainingIds.find((reservation) => isPossible({ ...load, reservation }));
  }

  #onOne(load: NodeLoad, isPossible: IsPossible): readonly NodeLoad[] {
    if (this.#remainingIds.length === 0) return [];
    const reservation = this.remainingFor(load, isPossible);
    if (reservation === undefined) {
      const parts = partsOf(load, (part) => this.remainingFor(part, isPossible) !== undefined);
      return parts.flatMap((part) => this.#onOne(part, isPossible));
    }
    this.#inputs.reservations.take(reservation, 1);
    return [{ ...load, reservation }];
  }

  get #remainingIds(): readonly string[] {
    const { reservations, template } = this.#inputs;
    const ids = template.reservedOffers.flatMap(({ offering }) => offering.reservation?.id ?? []);
    return [...new Set(ids)].filter((id) => reservations.left(id) > 0);
  }
}
