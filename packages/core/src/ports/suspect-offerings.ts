import type { InstanceType, Offering } from './instance-type.ts';

/** Whether the offering is available, or suspect and therefore perhaps available. */
export function isAvailableOrSuspect({ available, isSuspect = false }: Offering): boolean {
  return available || isSuspect;
}

const trusted = new WeakMap<readonly InstanceType[], readonly InstanceType[]>();

/** The types with suspect offerings counted as available; the same array if there are none. */
export function withSuspects(types: readonly InstanceType[]): readonly InstanceType[] {
  const known = trusted.get(types);
  if (known !== undefined) return known;
  const result = types.some(hasSuspect) ? types.map(trustingSuspects) : types;
  trusted.set(types, result);
  return result;
}

function hasSuspect({ offerings }: InstanceType): boolean {
  return offerings.some(({ isSuspect }) => isSuspect);
}

function trustingSuspects(type: InstanceType): InstanceType {
  if (!hasSuspect(type)) return type;
  return {
    ...type,
    offerings: type.offerings.map(({ isSuspect, ...offering }) =>
      isSuspect ? { ...offering, available: true } : offering,
    ),
  };
}
