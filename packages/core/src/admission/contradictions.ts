import type { FieldProblem } from '../provisioning/index.ts';
import { agree, type Requirement, requirementFromItem, Vocabulary } from '../requirements/index.ts';
import { itemText, type LocatedRequirement } from './located-requirement.ts';

interface Part extends LocatedRequirement {
  readonly requirement: Requirement;
}

/** All requirements on a key so far, and what they mean together. */
interface Merged {
  readonly requirement: Requirement;
  readonly parts: readonly Part[];
}

/**
 * Requirements on one key that no node can meet together. Karpenter reads two lists without a common value as
 * a label that must be absent, which nobody who writes two lists can mean.
 */
export function contradictions(
  located: readonly LocatedRequirement[],
  aliases: ReadonlyMap<string, string>,
): readonly FieldProblem[] {
  const vocabulary = new Vocabulary({ keys: aliases });
  const byKey = new Map<string, Merged>();
  return located.flatMap((each) => {
    const part = { ...each, requirement: requirementFromItem(vocabulary, each.item, each.field) };
    const key = part.requirement.key.name;
    const earlier = byKey.get(key) ?? { requirement: part.requirement, parts: [] };
    if (!agree(earlier.requirement, part.requirement)) return [contradiction(part, earlier)];
    byKey.set(key, {
      requirement: earlier.requirement.and(part.requirement),
      parts: [...earlier.parts, part],
    });
    return [];
  });
}

/** Names the one requirement that is enough for the contradiction, or all if none is. */
function contradiction({ field, item, requirement }: Part, { parts }: Merged): FieldProblem {
  const enough = parts.find((part) => !agree(part.requirement, requirement));
  const others = (enough === undefined ? parts : [enough]).map(
    (part) => `${part.field} (${itemText(part.item)})`,
  );
  const reason = `contradicts ${others.join(' and ')}: no node can meet ${others.length > 1 ? 'all' : 'both'}`;
  return { field, value: itemText(item), reason };
}
