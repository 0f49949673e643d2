import type { TypeZones } from '../instance-types/index.ts';
import { type DescribedType, nameOf } from '../instance-types/index.ts';

/** The instance types of a region and the zones that offer them, as last discovered. */
export interface Ec2Knowledge {
  readonly types: readonly DescribedType[];
  readonly byName: ReadonlyMap<string, DescribedType>;
  readonly zonesOfType: TypeZones;
  /** All zones of the region, sorted. */
  readonly zones: readonly string[];
}

export function ec2Knowledge(types: readonly DescribedType[], zonesOfType: TypeZones): Ec2Knowledge {
  const zones = new Set([...zonesOfType.values()].flatMap((each) => [...each]));
  const byName = new Map(types.map((type) => [nameOf(type), type]));
  return { types, byName, zonesOfType, zones: [...zones].sort() };
}

export const emptyKnowledge = ec2Knowledge([], new Map());

/** Whether two discoveries are equal, so that caches can stay. */
export function isSameKnowledge(a: Ec2Knowledge, b: Ec2Knowledge): boolean {
  return textOf(a) === textOf(b);
}

function textOf({ types, zonesOfType }: Ec2Knowledge): string {
  const offered = [...zonesOfType].map(([type, zones]) => [type, [...zones].sort()]);
  return JSON.stringify([types, offered.sort()]);
}
