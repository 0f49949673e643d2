import { isRestrictedLabel, type LabelPolicy } from '../api/names/label-policy.ts';
import { representative } from './representative.ts';
import type { Requirements } from './requirements.ts';

/**
 * The labels a NodeClaim gets from its requirements: a concrete value for every custom key, even one that is
 * only required to exist or to exceed a number. Well-known keys get theirs from the instance that is launched.
 */
export function nodeClaimLabels(requirements: Requirements, policy: LabelPolicy): Record<string, string> {
  const custom = requirements
    .byName()
    .filter(({ key }) => !policy.wellKnown.has(key.name) && !isRestrictedLabel(key.name, policy))
    .map((requirement) => [requirement.key.name, representative(requirement)] as const)
    .filter(([, value]) => value !== '');
  return Object.fromEntries(custom);
}
