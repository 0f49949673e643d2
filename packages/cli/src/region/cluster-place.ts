import { CodedError } from '@karpenter/core/errors';
import { type JsonObject, member } from '@karpenter/core/schema';
import { regions, type Zone, zones } from '@karpenter/ec2-catalogue';
import { defaultRegion, nearestZone, regionOfZone, zonesNamed } from './known-zones.ts';
import { subnetZones, type ZoneMention, zoneMentions } from './zone-mentions.ts';

/** Where nodes are planned. */
export interface ClusterPlace {
  readonly region: string;
  readonly zones: readonly Zone[];
}

/** An object that may say where its cluster is. */
export interface PlacedObject {
  readonly object: JsonObject;
  /** As messages name it: `pools.yaml, document 1: NodePool default`. */
  readonly subject: string;
}

interface NamedMention extends ZoneMention {
  readonly subject: string;
}

/** Zones of a cluster about which nothing else is known: most clusters span three. */
const usualZoneCount = 3;

export function usualPlace(region: string = defaultRegion): ClusterPlace {
  return { region, zones: zones(region).slice(0, usualZoneCount) };
}

/**
 * Where the objects are: in the region of the flag, else of the subnets of EC2NodeClasses, else of the zones that
 * objects name, else in the default region. Throws on a zone that no region has and on zones of several regions.
 */
export function clusterPlace(objects: readonly PlacedObject[], flag: string | undefined): ClusterPlace {
  refuseUnknownZones(objects);
  return placeOf(objects, flag);
}

/** Like `clusterPlace`, without a refusal of zones that no region has. */
export function placeOf(objects: readonly PlacedObject[], flag: string | undefined): ClusterPlace {
  const subnets = objects.flatMap((placed) => named(placed, subnetZones(placed.object)));
  const asked = objects.flatMap((placed) => named(placed, mentionsOf(placed)));
  const region = flag ?? regionOf(subnets) ?? regionOf(asked) ?? defaultRegion;
  if (zones(region).length === 0) throw unknownRegion(region);
  return { region, zones: zonesIn(region, subnets, asked) };
}

/** Objects that ask only for zones of other regions than that of the plan, the first of them by name. */
export function notesOnOtherRegions(objects: readonly PlacedObject[], region: string): readonly string[] {
  const found = objects.flatMap((placed) => {
    const regionsOf = mentionsOf(placed).flatMap(({ zone }) => regionOfZone(zone) ?? []);
    const [other] = regionsOf;
    return other === undefined || regionsOf.includes(region) ? [] : [{ ...placed, other }];
  });
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length > 1 ? ` (as do ${found.length - 1} more objects)` : '';
  return [`${first.subject} asks for zones of ${first.other}${more}, and nodes are planned in ${region}`];
}

/** Subnets say exactly which zones; zones that are asked for are added to the usual ones. */
function zonesIn(region: string, subnets: readonly ZoneMention[], asked: readonly ZoneMention[]) {
  const known = zonesNamed(region, zoneNames(subnets));
  if (known.length > 0) return known;
  const usual = usualPlace(region).zones.map(({ name }) => name);
  return zonesNamed(region, [...usual, ...zoneNames(asked)]);
}

function zoneNames(mentions: readonly ZoneMention[]): readonly string[] {
  return mentions.map(({ zone }) => zone);
}

function mentionsOf({ object }: PlacedObject): readonly ZoneMention[] {
  const { status: _, ...asked } = object;
  return zoneMentions(asked);
}

function named({ subject }: PlacedObject, mentions: readonly ZoneMention[]): readonly NamedMention[] {
  return mentions.map((mention) => ({ ...mention, subject }));
}

/** Kinds of objects that stand for something in a zone, so that the zone exists, whatever it is called. */
const existingKinds: ReadonlySet<string> = new Set(['Node', 'NodeClaim', 'PersistentVolume', 'CSINode']);

/**
 * Refuses a zone that no region has, unless instance types are sold in it (`sold`) or something exists in it. Objects
 * with a uid are those of a cluster, which knows its zones.
 */
export function refuseUnknownZones(
  objects: readonly PlacedObject[],
  sold: ReadonlySet<string> = new Set(),
): void {
  const existing = new Set(objects.filter(exists).flatMap((object) => zoneNames(mentionsOf(object))));
  const isKnown = ({ zone }: ZoneMention) =>
    regionOfZone(zone) !== undefined || existing.has(zone) || sold.has(zone);
  const written = objects.filter((placed) => !isExported(placed));
  const unknown = written
    .flatMap((placed) => named(placed, mentionsOf(placed)))
    .find((each) => !isKnown(each));
  if (unknown !== undefined) throw unknownZone(unknown);
}

function unknownZone({ zone, subject, path }: NamedMention): CodedError {
  const nearest = nearestZone(zone);
  const advice = nearest === undefined ? 'write one such as us-west-2a' : `did you mean ${nearest}?`;
  return new CodedError(
    'invalid-object',
    `${subject}: ${path}: no region has a zone ${JSON.stringify(zone)}; ${advice}`,
    { details: { zone, field: path } },
  );
}

function exists({ object }: PlacedObject): boolean {
  return existingKinds.has(String(member(object, 'kind')));
}

function isExported({ object }: PlacedObject): boolean {
  return member(member(object, 'metadata'), 'uid') !== undefined;
}

function regionOf(mentions: readonly NamedMention[]): string | undefined {
  const byRegion = new Map(
    mentions.flatMap((mention) => {
      const region = regionOfZone(mention.zone);
      return region === undefined ? [] : [[region, mention] as const];
    }),
  );
  const [first, second] = byRegion;
  if (first !== undefined && second !== undefined) throw severalRegions(first, second);
  return first?.[0];
}

function severalRegions(...found: readonly (readonly [string, NamedMention])[]): CodedError {
  const places = found.map(([, { zone, subject }]) => `${zone} of ${subject}`).join(' and ');
  const names = found.map(([region]) => region).join(' and ');
  return new CodedError(
    'invalid-setting',
    `a cluster is in one region, and ${places} are in ${names}; choose one with --region`,
  );
}

/** The error for a region whose zones the catalogue does not list. */
function unknownRegion(region: string): CodedError {
  return new CodedError(
    'invalid-setting',
    `--region: ${JSON.stringify(region)} is not a region whose zones are known; choose one of ${regions().join(', ')}`,
    { details: { flag: '--region', value: region } },
  );
}
