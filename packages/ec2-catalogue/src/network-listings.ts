import * as facts from './facts/listings.ts';
import { isAmong } from './notation/family-table.ts';

/** Which of the tables that AWS publishes name a type. */
export interface NetworkListings {
  /** Baseline bandwidth; a type that the catalogue does not hold may still be listed. */
  readonly bandwidth: boolean;
  /** Interfaces and addresses in a VPC. */
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
