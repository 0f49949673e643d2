import { shapes } from './expansion/shapes.ts';
import * as facts from './facts/zones.ts';
import { familyLine } from './notation/family-table.ts';
import { rows, words } from './notation/table.ts';

export interface Zone {
  readonly name: string;
  readonly id: string;
}

const byRegion: ReadonlyMap<string, readonly Zone[]> = new Map(
  rows(facts.regionZones).map(([region = '', id = '', zones]) => [
    region,
    Object.freeze(words(zones).map((word) => parseZone(region, id, word))),
  ]),
);

const exceptions: ReadonlyMap<string, readonly string[]> = new Map(
  rows(facts.usEast1Zones).flatMap(([zones, named]) =>
    words(named).map((name): [string, readonly string[]] => [name, words(zones)]),
  ),
);

export function regions(): readonly string[] {
  return [...byRegion.keys()];
}

/** Returns the zones of a region; empty if the region is unknown. */
export function zones(region: string): readonly Zone[] {
  return byRegion.get(region) ?? [];
}

const usEast1 = 'us-east-1';
/** Zones in us-east-1 by type, read from the table once. */
const inUsEast1 = new Map<string, readonly Zone[]>();

/**
 * Returns the zones that offer a type: all of the region, except in us-east-1, for which a table lists them.
 */
export function zonesOf(instanceType: string, region: string): readonly Zone[] {
  if (region !== usEast1) return shapes().has(instanceType) ? zones(region) : [];
  const known = inUsEast1.get(instanceType) ?? listedZones(instanceType);
  inUsEast1.set(instanceType, known);
  return known;
}

function listedZones(instanceType: string): readonly Zone[] {
  const shape = shapes().get(instanceType);
  if (shape === undefined) return [];
  const numbers = usEast1Numbers(shape.name, shape.family);
  return zones(usEast1).filter(({ id }) => numbers.includes(id.slice('use1-az'.length)));
}

function usEast1Numbers(name: string, family: string): readonly string[] {
  const named = [name, family, familyLine(family)].find((key) => exceptions.has(key));
  return exceptions.get(named ?? '') ?? words(facts.usEast1DefaultZones);
}

function parseZone(region: string, idPrefix: string, word: string): Zone {
  const [letter = '', number = ''] = word.split(':');
  return { name: `${region}${letter}`, id: `${idPrefix}-az${number}` };
}
