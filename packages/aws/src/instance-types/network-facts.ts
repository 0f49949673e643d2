import { branchInterfaces, instanceType, networkBandwidth, networkListings } from '@karpenter/ec2-catalogue';
import { type DescribedType, nameOf } from './described-type.ts';

/**
 * Baseline bandwidth in Mbps: from the published table, else from the record, for types newer than the table.
 */
export function bandwidthOf(type: DescribedType): number | undefined {
  const name = nameOf(type);
  if (!networkListings(name).bandwidth) return undefined;
  return networkBandwidth(name) ?? describedBandwidth(type);
}

/** Ignores the figures of early generations, whose NetworkPerformance is a word such as `High`. */
function describedBandwidth({ NetworkInfo }: DescribedType): number | undefined {
  const gbps = (NetworkInfo?.NetworkCards ?? []).map(
    ({ BaselineBandwidthInGbps = 0 }) => BaselineBandwidthInGbps,
  );
  const total = gbps.reduce((sum, card) => sum + card, 0);
  const isFigure = /gigabit/i.test(NetworkInfo?.NetworkPerformance ?? '');
  return isFigure && total > 0 ? Math.round(total * 1000) : undefined;
}

/** Branch interfaces of Mac types, which the catalogue leaves out because nodes cannot run on them. */
const macBranchInterfaces = 6;

/** Number of pods that can have their own security groups (`vpc.amazonaws.com/pod-eni`). */
export function branchInterfacesOf(type: DescribedType): number {
  const name = nameOf(type);
  const isUncataloguedMac = name.startsWith('mac') && instanceType(name) === undefined;
  return isUncataloguedMac ? macBranchInterfaces : branchInterfaces(name);
}

/** Secondary IPv4 addresses of one interface; 0 if the published limits lack the type. */
export function privateAddressesOf(type: DescribedType): number {
  if (!networkListings(nameOf(type)).limits) return 0;
  return Math.max(0, (type.NetworkInfo?.Ipv4AddressesPerInterface ?? 0) - 1);
}
