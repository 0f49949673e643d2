import { shapes } from './expansion/shapes.ts';

/**
 * Returns the baseline network bandwidth in Mbps, for the
 * label `instance-network-bandwidth`; undefined if unknown.
 */
export function networkBandwidth(instanceType: string): number | undefined {
  return shapes().get(instanceType)?.networkMbps;
}
