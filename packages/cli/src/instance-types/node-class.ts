import type { ReadClass } from '@karpenter/aws';
import { type Zone, zones } from '@karpenter/ec2-catalogue';

/** Zones that nodes may be in when nobody says: a cluster usually spans three. */
const usualZoneCount = 3;

export function usualZones(region: string): readonly Zone[] {
  return zones(region).slice(0, usualZoneCount);
}

/** The class that is taken when none is given. */
export const usualNodeClass: ReadClass = {
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }] },
};

/** The class with one subnet in each of the zones, in place of those that AWS would find for it. */
export function inZones(nodeClass: ReadClass, places: readonly Zone[]): ReadClass {
  const subnets = places.map(({ name, id }) => ({ id: `subnet-${name}`, zone: name, zoneID: id }));
  return { ...nodeClass, status: { ...nodeClass.status, subnets } };
}
