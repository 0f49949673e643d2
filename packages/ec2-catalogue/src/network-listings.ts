import * as facts from './facts/listings.ts';
import { isAmong } from './notation/family-table.ts';

/**
 * Whether the published table of network interfaces and addresses in a VPC lists a type. Types that are not in
 * the catalogue count as listed, unless their family is known to be missing.
 */
export function hasListedLimits(instanceType: string): boolean {
  const [family = '', size = ''] = instanceType.split('.');
  const isUnlistedMetal = size.startsWith('metal') && isAmong(facts.withoutListedMetalLimits, family);
  return !facts.withoutListedLimits.has(family) && !isUnlistedMetal;
}
