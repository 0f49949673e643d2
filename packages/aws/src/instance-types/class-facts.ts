import { amiFamilyOf } from '../ami-family/index.ts';
import type {
  CapacityReservationStatus,
  EC2NodeClassSpec,
  EC2NodeClassStatus,
  SubnetStatus,
} from '../node-class/index.ts';
import type { ClassDemands } from './compatibility.ts';
import type { NodeFacts } from './node-facts.ts';
import type { ClassZone, PlacementGroup } from './place.ts';

/** All that instance types and their offerings depend on of a NodeClass. */
export interface ClassFacts {
  readonly node: NodeFacts;
  readonly demands: ClassDemands;
  readonly zones: readonly ClassZone[];
  /** Ids of subnets by the name of their zone. */
  readonly subnets: ReadonlyMap<string, readonly string[]>;
  readonly reservations: readonly CapacityReservationStatus[];
  readonly group: PlacementGroup | undefined;
  /** The set of images, for what is remembered of nodes that were started from them. */
  readonly imagesHash: string;
  /** Equal for classes whose nodes are of equal sizes. */
  readonly shapeKey: string;
  /** Equal for classes whose nodes are sold alike. */
  readonly offeringKey: string;
}

/** What is read of a NodeClass. */
export interface ReadClass {
  readonly spec: Pick<EC2NodeClassSpec, ReadField>;
  readonly status?: EC2NodeClassStatus;
}

type ReadField =
  | 'amiFamily'
  | 'amiSelectorTerms'
  | 'kubelet'
  | 'blockDeviceMappings'
  | 'instanceStorePolicy'
  | 'networkInterfaces'
  | 'cpuOptions'
  | 'connectionTracking';

export function classFactsOf(nodeClass: ReadClass, group?: PlacementGroup): ClassFacts {
  const { subnets = [], capacityReservations: reservations = [] } = nodeClass.status ?? {};
  const node = nodeFactsOf(nodeClass);
  const demands = demandsOf(nodeClass, group);
  const imagesHash = imagesHashOf(nodeClass);
  const zones = zonesOf(subnets);
  return {
    node,
    demands,
    zones,
    subnets: subnetsByZone(subnets),
    reservations,
    group,
    imagesHash,
    shapeKey: JSON.stringify([node, imagesHash]),
    offeringKey: JSON.stringify([demands, byId(subnets), reservations, group]),
  };
}

/**
 * The status lists subnets by how many addresses they have left, which every launch may change. Offerings do not depend
 * on it, and a catalogue for every order would take 12 MB each.
 */
function byId(subnets: readonly SubnetStatus[]): readonly SubnetStatus[] {
  return [...subnets].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function nodeFactsOf({ spec }: ReadClass): NodeFacts {
  const { kubelet, blockDeviceMappings, instanceStorePolicy, networkInterfaces } = spec;
  return { family: amiFamilyOf(spec), kubelet, blockDeviceMappings, instanceStorePolicy, networkInterfaces };
}

function demandsOf({ spec }: ReadClass, group: PlacementGroup | undefined): ClassDemands {
  const { networkInterfaces, cpuOptions, connectionTracking } = spec;
  const placementStrategy = group?.strategy;
  return { family: amiFamilyOf(spec), networkInterfaces, cpuOptions, connectionTracking, placementStrategy };
}

/** The same for the same images, in whatever order. */
export function imagesHashOf({ status }: ReadClass): string {
  return [...new Set(status?.amis?.map(({ id }) => id))].sort().join();
}

function zonesOf(subnets: readonly SubnetStatus[]): readonly ClassZone[] {
  const zones = new Map<string, ClassZone>();
  for (const { zone: name, zoneID: id } of subnets) zones.set(name, { name, id: id ?? zones.get(name)?.id });
  return [...zones.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function subnetsByZone(subnets: readonly SubnetStatus[]): ReadonlyMap<string, readonly string[]> {
  const byZone = new Map<string, string[]>();
  for (const { id, zone } of subnets) byZone.set(zone, [...(byZone.get(zone) ?? []), id]);
  return byZone;
}
