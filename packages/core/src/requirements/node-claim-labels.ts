import { isRestrictedLabel, type LabelPolicy } from '../api/index.ts';
import { representative } from './representative.ts';
import type { Requirements } from './requirements.ts';

/**
 * The labels that a NodeClaim gets from its requirements: a concrete value for every custom key, even if the
 * operator is Exists or Gt. Well-known keys get their value from the launched instance.
 */
export function nodeClaimLabels(requirements: Requirements, policy: LabelPolicy): Record<string, string> {
  const custom = requirements
    .byName()
    .filter(({ key }) => !policy.wellKnown.has(key.name) && !isRestrictedLabel(key.name, policy))
    .map((requirement) => [requirement.key.name, representative(requirement)] as const)
    .filter(([, value]) => value !== '');
  return Object.fromEntries(custom);
}
