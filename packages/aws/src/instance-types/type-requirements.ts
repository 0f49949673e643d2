import { capacityTypes, labelKeys } from '@karpenter/core/api';
import type { RequirementItem } from '@karpenter/core/requirements';
import type { AmiFamily } from '../ami-family/index.ts';
import { awsLabelKeys, tenancies } from '../names/index.ts';
import { architectureOf, type DescribedType } from './described-type.ts';
import { describedLabels } from './labels.ts';
import { type Place, partitionsOf } from './place.ts';
import type { RequirementPool } from './requirement-pool.ts';

type LabelLists = Readonly<Record<string, readonly string[]>>;

/** Requirements on the labels of the type's nodes. A label that the nodes lack gets `DoesNotExist`. */
export function typeRequirements(
  type: DescribedType,
  family: AmiFamily,
  place: Place,
  pool: RequirementPool,
): readonly RequirementItem[] {
  return [
    ...pool.cachedFor(type, () => describedItems(type, pool)),
    ...pool.named(placeName(type, family, place), () => placeItems(type, family, place, pool)),
  ];
}

/** Pool key with everything that the requirements of `placeItems` depend on. */
function placeName(type: DescribedType, family: AmiFamily, place: Place): string {
  const zones = place.zones.map(({ name, id }) => `${name}=${id}`).join();
  const { region, reservations, group } = place;
  const rare = reservations.length === 0 && group === undefined ? '' : JSON.stringify([reservations, group]);
  return [family.name, architectureOf(type), region, zones, usageClassesOf(type).join(), rare].join(' ');
}

function placeItems(
  type: DescribedType,
  family: AmiFamily,
  place: Place,
  pool: RequirementPool,
): readonly RequirementItem[] {
  const lists: LabelLists = {
    ...systemLabels(type, family),
    ...zoneLabels(place),
    ...reservationLabels(place),
    ...groupLabels(place),
    [labelKeys.region]: [place.region],
    [labelKeys.capacityType]: capacityTypesOf(type, place),
    // Both on every type, as in Karpenter: the launch chooses the tenancy.
    [awsLabelKeys.tenancy]: Object.values(tenancies),
  };
  return Object.entries(lists).map(([key, values]) => pool.item(key, values));
}

function describedItems(type: DescribedType, pool: RequirementPool): readonly RequirementItem[] {
  return Object.entries(describedLabels(type)).map(([key, value]) => pool.item(key, listOf(value)));
}

/** Windows AMIs exist for amd64 only. */
function systemLabels(type: DescribedType, { operatingSystem, windowsBuild }: AmiFamily): LabelLists {
  const hasImages = operatingSystem === 'linux' || architectureOf(type) === 'amd64';
  return {
    [labelKeys.operatingSystem]: hasImages ? [operatingSystem] : [],
    [labelKeys.windowsBuild]: listOf(windowsBuild),
  };
}

/** Leaves the zone id label open while no id is known. */
function zoneLabels({ zones }: Place): LabelLists {
  const ids = zones.flatMap(({ id }) => listOf(id));
  return {
    [labelKeys.zone]: distinct(zones.map(({ name }) => name)),
    ...(ids.length > 0 && { [awsLabelKeys.zoneId]: distinct(ids) }),
  };
}

function reservationLabels({ reservations }: Place): LabelLists {
  return {
    [awsLabelKeys.capacityReservationId]: reservations.map(({ id }) => id),
    [awsLabelKeys.capacityReservationType]: distinct(
      reservations.map(({ reservationType }) => reservationType ?? 'default'),
    ),
    [awsLabelKeys.capacityReservationInterruptible]: distinct(
      reservations.map(({ interruptible }) => String(interruptible ?? false)),
    ),
  };
}

function groupLabels({ group }: Place): LabelLists {
  if (group === undefined) return {};
  const partitions = partitionsOf(group);
  return {
    [awsLabelKeys.placementGroupId]: [group.id],
    ...(partitions.length > 0 && { [awsLabelKeys.placementGroupPartition]: partitions }),
  };
}

/** EC2's usage classes without `capacity-block`, which counts as a reservation here. */
export function usageClassesOf({
  SupportedUsageClasses = [],
}: DescribedType): readonly ('on-demand' | 'spot')[] {
  const known = [capacityTypes.onDemand, capacityTypes.spot] as const;
  return known.filter((type) => SupportedUsageClasses.includes(type));
}

function capacityTypesOf(type: DescribedType, { reservations }: Place): readonly string[] {
  return reservations.length > 0 ? [...usageClassesOf(type), capacityTypes.reserved] : usageClassesOf(type);
}

function listOf(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
