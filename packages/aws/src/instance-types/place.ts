import type { CapacityReservationStatus } from '../node-class/index.ts';

/** A zone in which an EC2NodeClass has subnets. */
export interface ClassZone {
  readonly name: string;
  /** Absent until the class's status has it. */
  readonly id?: string | undefined;
}

export interface PlacementGroup {
  readonly id: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
  readonly partitionCount?: number | undefined;
}

/** Where instances of one type can launch: zones, reservations and placement group. */
export interface Place {
  readonly region: string;
  /** Zones that offer the type and have a subnet of the class. */
  readonly zones: readonly ClassZone[];
  /** Capacity reservations of the type that the class selects. */
  readonly reservations: readonly CapacityReservationStatus[];
  readonly group?: PlacementGroup | undefined;
}

/** Partition numbers of a partition placement group, from 1; empty for other groups and no group. */
export function partitionsOf(group: PlacementGroup | undefined): readonly string[] {
  const count = group?.strategy === 'partition' ? (group.partitionCount ?? 0) : 0;
  return Array.from({ length: count }, (_, index) => String(index + 1));
}
