import { branchInterfaces, instanceType, networkBandwidth, networkListings } from '@karpenter/ec2-catalogue';
import { type DescribedType, nameOf } from './described-type.ts';

/** Baseline megabits: from the published table, else from the record of a type that is newer than the table. */
export function bandwidthOf(type: DescribedType): number | undefined {
  const name = nameOf(type);
  if (!networkListings(name).bandwidth) return undefined;
  return networkBandwidth(name) ?? describedBandwidth(type);
}

/** The first generations have words instead (`High`), which are no figures. */
function describedBandwidth({ NetworkInfo }: DescribedType): number | undefined {
  const gbps = (NetworkInfo?.NetworkCards ?? []).map(
    ({ BaselineBandwidthInGbps = 0 }) => BaselineBandwidthInGbps,
  );
  const total = gbps.reduce((sum, card) => sum + card, 0);
  const isFigure = /gigabit/i.test(NetworkInfo?.NetworkPerformance ?? '');
  return isFigure && total > 0 ? Math.round(total * 1000) : undefined;
}

/** Branch interfaces of Macs, which the catalogue does not hold: their architecture is none that nodes run on. */
const macBranchInterfaces = 6;

/** How many pods can have security groups of their own. */
export function branchInterfacesOf(type: DescribedType): number {
  const name = nameOf(type);
  const isUncataloguedMac = name.startsWith('mac') && instanceType(name) === undefined;
  return isUncataloguedMac ? macBranchInterfaces : branchInterfaces(name);
}

/** Addresses that one interface has to give away; none where the published limits leave the type out. */
export function privateAddressesOf(type: DescribedType): number {
  if (!networkListings(nameOf(type)).limits) return 0;
  return Math.max(0, (type.NetworkInfo?.Ipv4AddressesPerInterface ?? 0) - 1);
}
