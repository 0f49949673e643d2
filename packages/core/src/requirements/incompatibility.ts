import type { LabelKeySet } from './label-key-set.ts';
import type { Requirement } from './requirement.ts';
import { requirementText } from './requirement-text.ts';
import { agree, type Requirements } from './requirements.ts';
import type { LabelKey } from './vocabulary.ts';

/** One reason why requirements are incompatible. */
export type Incompatibility =
  | {
      readonly kind: 'undefined';
      readonly key: LabelKey;
      readonly incoming: Requirement;
      readonly typo?: LabelKey;
    }
  | {
      readonly kind: 'disjoint';
      readonly key: LabelKey;
      readonly incoming: Requirement;
      readonly existing: Requirement;
    };

/** Why `existing.intersects(incoming)` is false, sorted by key; empty if it is true. */
export function explainDisjoint(existing: Requirements, incoming: Requirements): Incompatibility[] {
  return incoming.byName().flatMap((required): Incompatibility[] => {
    const found = existing.find(required.key);
    if (found === undefined || agree(found, required)) return [];
    return [{ kind: 'disjoint', key: required.key, incoming: required, existing: found }];
  });
}

/**
 * Why `existing.compatible(incoming, allowUndefined)` is false: undefined keys, or without any the disjoint
 * ones.
 */
export function explainIncompatible(
  existing: Requirements,
  incoming: Requirements,
  allowUndefined: LabelKeySet,
): Incompatibility[] {
  const missing = incoming
    .byName()
    .filter(({ key, allowsAbsence }) => !allowsAbsence && !allowUndefined.has(key) && !existing.has(key))
    .map((required): Incompatibility => {
      // As in Karpenter, well-known keys first. Both lists are sorted, so the hint is the same every time
      // (ADR 0005).
      const typo = similarKey(required.key.name, [...allowUndefined, ...existing.keys()]);
      return {
        kind: 'undefined',
        key: required.key,
        incoming: required,
        ...(typo === undefined ? {} : { typo }),
      };
    });
  return missing.length > 0 ? missing : explainDisjoint(existing, incoming);
}

function incompatibilityText(reason: Incompatibility): string {
  if (reason.kind === 'disjoint') {
    const { key, incoming, existing } = reason;
    return `key ${key.name}, ${requirementText(incoming)} not in ${requirementText(existing)}`;
  }
  const hint = reason.typo === undefined ? '' : ` (typo of "${reason.typo.name}"?)`;
  return `label "${reason.key.name}" does not have known values${hint}`;
}

export function incompatibilitiesText(reasons: readonly Incompatibility[]): string {
  return reasons.map(incompatibilityText).join('; ');
}

/**
 * The first key that `name` may be a typo of: it contains the name, or ends with its part after the slash.
 */
function similarKey(name: string, keys: readonly LabelKey[]): LabelKey | undefined {
  const ending = name.slice(name.indexOf('/') + 1);
  return keys.find((key) => key.name.includes(name) || key.name.endsWith(ending));
}
