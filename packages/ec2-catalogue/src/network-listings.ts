import * as facts from './facts/listings.ts';
import { isAmong } from './notation/family-table.ts';

/** Which published AWS tables list a type. */
export interface NetworkListings {
  /** Baseline network bandwidth. A type that is not in the catalogue may still be listed. */
  readonly bandwidth: boolean;
  /** Network interfaces and addresses in a VPC. */
  readonly limits: boolean;
}

/** Types that are not in the catalogue count as listed, unless their family is known to be missing. */
export function networkListings(instanceType: string): NetworkListings {
  const [family = '', size = ''] = instanceType.split('.');
  const isUnlistedMetal = size.startsWith('metal') && isAmong(facts.withoutListedMetalLimits, family);
  return {
    bandwidth: !facts.withoutListedBandwidth.has(family),
    limits: !facts.withoutListedLimits.has(family) && !isUnlistedMetal,
  };
}
