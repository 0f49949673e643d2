import * as facts from './facts/listings.ts';
import { isAmong } from './notation/family-table.ts';

/** Which published AWS tables list a type. Karpenter's data has the same gaps. */
export interface NetworkListings {
  /** Baseline network bandwidth. A type that is not in the catalogue may still be listed. */
  readonly bandwidth: boolean;
  /** Network interfaces and addresses in a VPC. */
  readonly limits: boolean;
}

export function networkListings(instanceType: string): NetworkListings {
  const [family = '', size = ''] = instanceType.split('.');
  const isUnlistedMetal = size.startsWith('metal') && isAmong(facts.withoutListedMetalLimits, family);
  return {
    bandwidth: !facts.withoutListedBandwidth.has(family),
    limits: !facts.withoutListedLimits.has(family) && !isUnlistedMetal,
  };
}
