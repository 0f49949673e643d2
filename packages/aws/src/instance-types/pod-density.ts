import { type DescribedType, vCpusOf } from './described-type.ts';
import type { NodeFacts, SizeSettings } from './node-facts.ts';

/** The kubelet's default maxPods, used when the network sets no limit. */
const defaultMaxPods = 110;

/** maxPods of the kubelet on the node. */
export function maxPods(type: DescribedType, facts: NodeFacts, { reservedEnis }: SizeSettings): number {
  const { family, kubelet } = facts;
  const limit =
    kubelet?.maxPods ??
    (family.limitsPodsByInterfaces ? podsByInterfaces(type, facts, reservedEnis) : defaultMaxPods);
  const perCore = family.readsPodsPerCore ? (kubelet?.podsPerCore ?? 0) : 0;
  return perCore > 0 ? Math.min(limit, perCore * vCpusOf(type)) : limit;
}

/** Number of pods for which EKS AMIs reserve memory. Some ignore maxPods and always use the ENI limit. */
export function podsToReserveFor(type: DescribedType, facts: NodeFacts, settings: SizeSettings): number {
  return facts.family.reservesMemoryByInterfaces
    ? podsByInterfaces(type, facts, 0)
    : maxPods(type, facts, settings);
}

/**
 * The ENI limit of the VPC CNI: each interface uses one address itself; two host-network pods need none. Prefix
 * delegation is not modelled, as in Karpenter: users set maxPods.
 */
function podsByInterfaces(type: DescribedType, facts: NodeFacts, reservedEnis: number): number {
  const usable = interfacesOfDefaultCard(type) - reservedEnis - efaOnlyOnFirstCard(facts);
  const addresses = type.NetworkInfo?.Ipv4AddressesPerInterface ?? 0;
  return usable <= 0 ? 0 : usable * (addresses - 1) + 2;
}

function interfacesOfDefaultCard({ NetworkInfo }: DescribedType): number {
  const cards = NetworkInfo?.NetworkCards ?? [];
  const card = cards[NetworkInfo?.DefaultNetworkCardIndex ?? 0];
  return card?.MaximumNetworkInterfaces ?? NetworkInfo?.MaximumNetworkInterfaces ?? 0;
}

function efaOnlyOnFirstCard({ networkInterfaces = [] }: NodeFacts): number {
  return networkInterfaces.filter(
    ({ networkCardIndex, interfaceType }) => networkCardIndex === 0 && interfaceType === 'efa-only',
  ).length;
}
