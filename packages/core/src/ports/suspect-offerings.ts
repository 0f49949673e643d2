import type { InstanceType, Offering } from './instance-type.ts';

/** Whether nobody knows that it cannot be had. */
export function mayBeHad({ available, isSuspect = false }: Offering): boolean {
  return available || isSuspect;
}

const lifted = new WeakMap<readonly InstanceType[], readonly InstanceType[]>();

/** The types as if nothing were doubted; the same list where nothing is. */
export function withSuspects(types: readonly InstanceType[]): readonly InstanceType[] {
  const known = lifted.get(types);
  if (known !== undefined) return known;
  const made = types.some(hasSuspect) ? types.map(withoutSuspects) : types;
  lifted.set(types, made);
  return made;
}

function hasSuspect({ offerings }: InstanceType): boolean {
  return offerings.some(({ isSuspect }) => isSuspect);
}

function withoutSuspects(type: InstanceType): InstanceType {
  if (!hasSuspect(type)) return type;
  return {
    ...type,
    offerings: type.offerings.map(({ isSuspect, ...offering }) =>
      isSuspect ? { ...offering, available: true } : offering,
    ),
  };
}
