import { shapes } from './expansion/shapes.ts';

/** Baseline megabits per second of the network, the label `instance-network-bandwidth`; undefined if unknown. */
export function networkBandwidth(instanceType: string): number | undefined {
  return shapes().get(instanceType)?.networkMbps;
}
