import { shapes } from './expansion/shapes.ts';
import { offerings } from './facts/offerings.ts';
import { regionZones } from './facts/zones.ts';
import { familyLine } from './notation/family-table.ts';
import { rows, words } from './notation/table.ts';
import { isInPriceList } from './regional-prices.ts';

export interface Zone {
  readonly name: string;
  readonly id: string;
}

const byRegion: ReadonlyMap<string, readonly Zone[]> = new Map(
  rows(regionZones).map(([region = '', id = '', zones]) => [
    region,
    Object.freeze(words(zones).map((word) => parseZone(region, id, word))),
  ]),
);

/** Numbers of zones, by region, then by type, family, line or `*`. */
const offered: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = parseOfferings();

export function regions(): readonly string[] {
  return [...byRegion.keys()];
}

/** Returns the zones of a region; empty if the region is unknown. */
export function zones(region: string): readonly Zone[] {
  return byRegion.get(region) ?? [];
}

/** Zones by region and type, read from the table once. */
const memo = new Map<string, readonly Zone[]>();

/**
 * Returns the zones that offer a type, as recorded. In regions whose offerings are not recorded, all zones offer
 * the families of the price list.
 */
export function zonesOf(instanceType: string, region: string): readonly Zone[] {
  const key = `${region} ${instanceType}`;
  const known = memo.get(key) ?? recordedZones(instanceType, region);
  memo.set(key, known);
  return known;
}

function recordedZones(instanceType: string, region: string): readonly Zone[] {
  const shape = shapes().get(instanceType);
  if (shape === undefined) return [];
  const recorded = offered.get(region);
  if (recorded === undefined) return isInPriceList(instanceType, region) ? zones(region) : [];
  const named = [shape.name, shape.family, familyLine(shape.family)].find((key) => recorded.has(key));
  const numbers = recorded.get(named ?? '*') ?? [];
  return zones(region).filter(({ id }) => numbers.includes(id.slice(id.indexOf('-az') + '-az'.length)));
}

function parseOfferings(): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, Map<string, readonly string[]>>();
  for (const [region = '', numbers, names] of rows(offerings)) {
    const table = found.get(region) ?? new Map<string, readonly string[]>();
    found.set(region, table);
    for (const name of words(names)) table.set(name, words(numbers));
  }
  return found;
}

function parseZone(region: string, idPrefix: string, word: string): Zone {
  const [letter = '', number = ''] = word.split(':');
  return { name: `${region}${letter}`, id: `${idPrefix}-az${number}` };
}
