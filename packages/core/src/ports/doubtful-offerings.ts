import type { InstanceType, Offering } from './instance-type.ts';

/** Whether nobody knows that it cannot be had. */
export function mayBeHad({ available, isDoubtful = false }: Offering): boolean {
  return available || isDoubtful;
}

const lifted = new WeakMap<readonly InstanceType[], readonly InstanceType[]>();

/** The types as if nothing were doubted; the same list where nothing is. */
export function withDoubtful(types: readonly InstanceType[]): readonly InstanceType[] {
  const known = lifted.get(types);
  if (known !== undefined) return known;
  const made = types.some(hasDoubtful) ? types.map(undoubted) : types;
  lifted.set(types, made);
  return made;
}

function hasDoubtful({ offerings }: InstanceType): boolean {
  return offerings.some(({ isDoubtful }) => isDoubtful);
}

function undoubted(type: InstanceType): InstanceType {
  if (!hasDoubtful(type)) return type;
  return {
    ...type,
    offerings: type.offerings.map(({ isDoubtful, ...offering }) =>
      isDoubtful ? { ...offering, available: true } : offering,
    ),
  };
}
