import type { LabelKeySet } from './label-key-set.ts';
import type { Requirement } from './requirement.ts';
import { requirementText } from './requirement-text.ts';
import { agree, type Requirements } from './requirements.ts';
import type { LabelKey } from './vocabulary.ts';

/** One reason why a node cannot take what is asked of it. */
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

/** Why `existing.intersects(incoming)` is false, in order of key names; empty if it is true. */
export function explainDisjoint(existing: Requirements, incoming: Requirements): Incompatibility[] {
  return incoming.byName().flatMap((asked): Incompatibility[] => {
    const found = existing.find(asked.key);
    if (found === undefined || agree(found, asked)) return [];
    return [{ kind: 'disjoint', key: asked.key, incoming: asked, existing: found }];
  });
}

/** Why `existing.compatible(incoming, allowUndefined)` is false: what is undefined, or else what is disjoint. */
export function explainIncompatible(
  existing: Requirements,
  incoming: Requirements,
  allowUndefined: LabelKeySet,
): Incompatibility[] {
  const missing = incoming
    .byName()
    .filter(({ key, allowsAbsence }) => !allowsAbsence && !allowUndefined.has(key) && !existing.has(key))
    .map((asked): Incompatibility => {
      const typo = similarKey(asked.key.name, [...allowUndefined, ...existing.keys()]);
      return { kind: 'undefined', key: asked.key, incoming: asked, ...(typo === undefined ? {} : { typo }) };
    });
  return missing.length > 0 ? missing : explainDisjoint(existing, incoming);
}

export function incompatibilityText(reason: Incompatibility): string {
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

/** The first key that someone who wrote `name` may have meant: it contains it, or ends like it after the slash. */
function similarKey(name: string, keys: readonly LabelKey[]): LabelKey | undefined {
  const ending = name.slice(name.indexOf('/') + 1);
  return keys.find((key) => key.name.includes(name) || key.name.endsWith(ending));
}
