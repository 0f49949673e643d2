import { amiFamilyOf, blockDevicesOf } from '../ami-family/index.ts';
import type {
  CapacityReservationStatus,
  EC2NodeClassSpec,
  EC2NodeClassStatus,
  SubnetStatus,
} from '../node-class/index.ts';
import type { ClassDemands } from './compatibility.ts';
import type { NodeFacts } from './node-facts.ts';
import type { ClassZone, PlacementGroup } from './place.ts';

/** The parts of an EC2NodeClass that its instance types and offerings depend on. */
export interface ClassFacts {
  readonly node: NodeFacts;
  readonly demands: ClassDemands;
  readonly zones: readonly ClassZone[];
  /** Subnet ids by zone name. */
  readonly subnets: ReadonlyMap<string, readonly string[]>;
  readonly reservations: readonly CapacityReservationStatus[];
  readonly group: PlacementGroup | undefined;
  /** Identifies the set of AMIs; key of the memory discovered on nodes that run them. */
  readonly imagesHash: string;
  /** Cache key of capacity and overhead: classes with equal keys share them. */
  readonly shapeKey: string;
  /** Cache key of offerings: classes with equal keys share them. */
  readonly offeringKey: string;
  /** Both keys in one string, of which the engine computes the hash once rather than for every list. */
  readonly viewKey: string;
}

/** The fields of an EC2NodeClass that are read here. */
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
  | 'connectionTracking'
  | 'associatePublicIPAddress';

/** Extracts the facts of a class. `group` is its resolved placement group. */
export function classFactsOf(nodeClass: ReadClass, group?: PlacementGroup): ClassFacts {
  const { subnets = [], capacityReservations: reservations = [] } = nodeClass.status ?? {};
  const node = nodeFactsOf(nodeClass);
  const demands = demandsOf(nodeClass, group);
  const imagesHash = imagesHashOf(nodeClass);
  const zones = zonesOf(subnets);
  const shapeKey = JSON.stringify([node, imagesHash]);
  // `demands` holds the AMI family and CPU options, which Karpenter's key lacks (ADR 0014).
  const offeringKey = JSON.stringify([demands, byId(subnets), reservations, group]);
  return {
    node,
    demands,
    zones,
    subnets: subnetsByZone(subnets),
    reservations,
    group,
    imagesHash,
    shapeKey,
    offeringKey,
    viewKey: `${shapeKey} ${offeringKey}`,
  };
}

/**
 * Sorts subnets by id for the cache key. The status sorts them by free addresses, which every launch may
 * change. Offerings do not depend on that order, and each order would cache another catalogue of 12 MB.
 */
function byId(subnets: readonly SubnetStatus[]): readonly SubnetStatus[] {
  return [...subnets].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function nodeFactsOf({ spec }: ReadClass): NodeFacts {
  const { kubelet, blockDeviceMappings, instanceStorePolicy, networkInterfaces } = spec;
  const family = amiFamilyOf(spec);
  return {
    family,
    kubelet,
    blockDeviceMappings,
    blockDevices: blockDevicesOf(family.name, blockDeviceMappings),
    associatesPublicAddress: spec.associatePublicIPAddress,
    instanceStorePolicy,
    networkInterfaces,
  };
}

function demandsOf({ spec }: ReadClass, group: PlacementGroup | undefined): ClassDemands {
  const { networkInterfaces, cpuOptions, connectionTracking } = spec;
  const placementStrategy = group?.strategy;
  return { family: amiFamilyOf(spec), networkInterfaces, cpuOptions, connectionTracking, placementStrategy };
}

/** Identifies a class's set of AMIs, independent of their order. */
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
