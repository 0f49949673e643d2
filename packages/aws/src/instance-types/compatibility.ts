import type { EC2NodeClassSpec, NetworkInterface } from '../node-class/index.ts';
import { architectureOf, type DescribedNetwork, type DescribedType, nameOf } from './described-type.ts';
import type { NodeFacts } from './node-facts.ts';

/** The settings of an EC2NodeClass that some instance types do not support. */
export interface ClassDemands extends Pick<NodeFacts, 'family' | 'networkInterfaces'> {
  readonly cpuOptions?: EC2NodeClassSpec['cpuOptions'] | undefined;
  readonly connectionTracking?: EC2NodeClassSpec['connectionTracking'] | undefined;
  /** Strategy of the resolved placement group. */
  readonly placementStrategy?: string | undefined;
}

/**
 * Whether EC2 can launch the type with the settings of the
 * class. Other types stay listed, with no offering available.
 */
export function isCompatible(type: DescribedType, demands: ClassDemands): boolean {
  return (
    runsFamily(type, demands) &&
    hasInterfaces(type, demands) &&
    canNestVirtualization(type, demands) &&
    joinsGroup(type, demands) &&
    tracksConnections(type, demands)
  );
}

/** Amazon Linux 2023 does not support the first Graviton generation (a1), and Windows no Graviton at all. */
function runsFamily(type: DescribedType, { family }: ClassDemands): boolean {
  if (family.operatingSystem === 'windows') return architectureOf(type) === 'amd64';
  return !(family.name === 'AL2023' && nameOf(type).startsWith('a1.'));
}

/** Whether the type has the network cards, device indexes and EFA interfaces that the class configures. */
function hasInterfaces({ NetworkInfo }: DescribedType, { networkInterfaces }: ClassDemands): boolean {
  // An empty list counts as set, as in Karpenter: the type then needs network cards and ENA.
  if (networkInterfaces === undefined) return true;
  if (NetworkInfo?.NetworkCards === undefined || !hasEna(NetworkInfo)) return false;
  const efaOnly = networkInterfaces.filter(({ interfaceType }) => interfaceType === 'efa-only');
  return (
    efaOnly.length <= (NetworkInfo.EfaInfo?.MaximumEfaInterfaces ?? 0) &&
    networkInterfaces.every((each) => hasPlaceFor(NetworkInfo, each))
  );
}

function hasEna({ EnaSupport }: DescribedNetwork): boolean {
  return EnaSupport === 'supported' || EnaSupport === 'required';
}

function hasPlaceFor(
  { NetworkCards = [] }: DescribedNetwork,
  { networkCardIndex, deviceIndex }: NetworkInterface,
) {
  const card = NetworkCards[networkCardIndex];
  return card !== undefined && deviceIndex < (card.MaximumNetworkInterfaces ?? 0);
}

function canNestVirtualization({ ProcessorInfo }: DescribedType, { cpuOptions }: ClassDemands): boolean {
  if (cpuOptions?.nestedVirtualization !== 'enabled') return true;
  return ProcessorInfo?.SupportedFeatures?.includes('nested-virtualization') ?? false;
}

function joinsGroup({ PlacementGroupInfo }: DescribedType, { placementStrategy }: ClassDemands): boolean {
  if (placementStrategy === undefined) return true;
  return PlacementGroupInfo?.SupportedStrategies?.includes(placementStrategy) ?? false;
}

/** EC2 accepts connection tracking settings on Nitro instances only; bare metal has no hypervisor. */
function tracksConnections({ Hypervisor }: DescribedType, { connectionTracking }: ClassDemands): boolean {
  return connectionTracking === undefined || Hypervisor === 'nitro';
}
