import { nearestName } from '@karpenter/core/values';
import { regions, type Zone, zones } from '@karpenter/ec2-catalogue';

/** Where commands that have no other evidence plan nodes. */
export const defaultRegion = 'us-west-2';

/** Zones that only older accounts see, so that the catalogue does not list them. */
const olderZones = new Set(['us-west-1c', 'ap-northeast-1b', 'ca-central-1c']);

/** `us-west-2` before the name of a Local Zone or Wavelength Zone, such as `us-west-2-lax-1a`. */
const extended = /^([a-z]{2}(?:-[a-z]+)+-\d+)-[a-z]+\d*-/;

/** The region of a zone by its name or id; undefined if no region has it. */
export function regionOfZone(zone: string): string | undefined {
  const owner = regions().find((region) =>
    zones(region).some(({ name, id }) => name === zone || id === zone),
  );
  if (owner !== undefined) return owner;
  const [, parent] = extended.exec(zone) ?? [];
  if (parent !== undefined && regions().includes(parent)) return parent;
  return olderZones.has(zone) ? zone.slice(0, -1) : regionOfZoneId(zone);
}

/** Accounts of different age have different zones, so an unlisted number is no reason to refuse an id. */
function regionOfZoneId(id: string): string | undefined {
  const [, prefix] = /^([a-z]+\d+)-az\d$/.exec(id) ?? [];
  if (prefix === undefined) return undefined;
  return regions().find((region) => zones(region).some((zone) => zone.id.startsWith(`${prefix}-az`)));
}

export function nearestZone(zone: string): string | undefined {
  const names = regions().flatMap((region) => zones(region).flatMap(({ name, id }) => [name, id]));
  return nearestName(zone, names);
}

export function zonesNamed(region: string, named: readonly string[]): readonly Zone[] {
  return zones(region).filter(({ name, id }) => named.includes(name) || named.includes(id));
}
