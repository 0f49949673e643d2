import type { CapacityReservationStatus } from '../node-class/index.ts';

/** A zone that a NodeClass has subnets in. */
export interface ClassZone {
  readonly name: string;
  /** Unknown until EC2 has told it. */
  readonly id?: string | undefined;
}

export interface PlacementGroup {
  readonly id: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
  readonly partitionCount?: number | undefined;
}

/** Where and how instances of one type may be started. */
export interface Place {
  readonly region: string;
  /** Zones that both sell the type and have a subnet of the class. */
  readonly zones: readonly ClassZone[];
  /** Reservations of the type that the class selected. */
  readonly reservations: readonly CapacityReservationStatus[];
  readonly group?: PlacementGroup | undefined;
}

/** Partitions are numbered from 1; other groups, and no group, have none. */
export function partitionsOf(group: PlacementGroup | undefined): readonly string[] {
  const count = group?.strategy === 'partition' ? (group.partitionCount ?? 0) : 0;
  return Array.from({ length: count }, (_, index) => String(index + 1));
}
