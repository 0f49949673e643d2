import type { ReadClass } from '@karpenter/aws';
import type { Zone } from '@karpenter/ec2-catalogue';

/** The NodeClass used when the user gives none: Amazon Linux 2023 with its defaults. */
export const defaultNodeClass: ReadClass = {
  spec: { amiSelectorTerms: [{ alias: 'al2023@latest' }] },
};

/** The NodeClass with one made-up subnet per zone, in place of those that AWS would find. */
export function inZones(nodeClass: ReadClass, places: readonly Zone[]): ReadClass {
  const subnets = places.map(({ name, id }) => ({ id: `subnet-${name}`, zone: name, zoneID: id }));
  return { ...nodeClass, status: { ...nodeClass.status, subnets } };
}
