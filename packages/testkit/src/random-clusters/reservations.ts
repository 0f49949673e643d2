import { labelKeys } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import type { SeededRandom } from './chance.ts';
import { zones } from './label-choices.ts';

export const reservationLabel = 'example.com/reservation';

const ids = ['cr-1', 'cr-2', 'cr-3'] as const;

function isOneOf(key: string, ...values: readonly string[]) {
  return { key, operator: 'In', values };
}

function reserved(chance: SeededRandom, price: number): Offering {
  return {
    requirements: [
      isOneOf(labelKeys.zone, chance.pick(zones)),
      isOneOf(labelKeys.capacityType, 'reserved'),
      isOneOf(reservationLabel, chance.pick(ids)),
    ],
    price: price / 10_000_000,
    available: chance.happens(0.9),
    reservationCapacity: chance.integer(0, 3),
  };
}

function withReserved(chance: SeededRandom, type: InstanceType): InstanceType {
  const price = Math.max(...type.offerings.map((offering) => offering.price));
  const added = chance.times(1, 2, () => reserved(chance, price));
  const values = (key: string) =>
    [...type.offerings, ...added].flatMap(({ requirements }) =>
      requirements.flatMap((item) => (item.key === key ? (item.values ?? []) : [])),
    );
  const rewritten: readonly string[] = [labelKeys.zone, labelKeys.capacityType];
  return {
    ...type,
    requirements: [
      ...type.requirements.filter(({ key }) => !rewritten.includes(key)),
      ...[...rewritten, reservationLabel].map((key) => isOneOf(key, ...new Set(values(key)))),
    ],
    offerings: [
      ...type.offerings.map((offering) => ({
        ...offering,
        requirements: [...offering.requirements, { key: reservationLabel, operator: 'DoesNotExist' }],
      })),
      ...added,
    ],
  };
}

/** Some clusters have a few capacity reservations, which several types and zones may share. */
export function withReservations(
  chance: SeededRandom,
  types: readonly InstanceType[],
): readonly InstanceType[] {
  if (chance.happens(0.65)) return types;
  return types.map((type) => (chance.happens(0.3) ? withReserved(chance, type) : type));
}
