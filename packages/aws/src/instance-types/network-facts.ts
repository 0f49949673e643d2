import { branchInterfaces, hasListedLimits, instanceType, networkBandwidth } from '@karpenter/ec2-catalogue';
import { type DescribedType, nameOf } from './described-type.ts';

/** Baseline bandwidth in Mbps from the published table, as in Karpenter; undefined if the table lacks the type. */
export function bandwidthOf(type: DescribedType): number | undefined {
  return networkBandwidth(nameOf(type));
}

/** Branch interfaces of Macs that are newer than the catalogue. */
const macBranchInterfaces = 6;

/** Number of pods that can have their own security groups (`vpc.amazonaws.com/pod-eni`). */
export function branchInterfacesOf(type: DescribedType): number {
  const name = nameOf(type);
  const isUncataloguedMac = name.startsWith('mac') && instanceType(name) === undefined;
  return isUncataloguedMac ? macBranchInterfaces : branchInterfaces(name);
}

/** Secondary IPv4 addresses of one interface; 0 if the published limits lack the type. */
export function privateAddressesOf(type: DescribedType): number {
  if (!hasListedLimits(nameOf(type))) return 0;
  return Math.max(0, (type.NetworkInfo?.Ipv4AddressesPerInterface ?? 0) - 1);
}
