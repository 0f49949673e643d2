import type { NodeClaim, NodePool } from '../api/index.ts';
import type { NodeClassKind } from '../ports/index.ts';
import { type FieldProblem, nodeClassKindOf, nodePoolProblems, specProblems } from '../provisioning/index.ts';
import { checkRequirement, mixedKnownValues, type RequirementPolicy } from '../requirements/index.ts';
import type { Admission } from './admission.ts';
import { contradictions } from './contradictions.ts';
import { disruptionProblems, durationProblems } from './duration-problems.ts';
import { type LocatedRequirement, locatedItems, locatedLabels } from './located-requirement.ts';
import { type KnownTypes, unmetRequirements } from './unmet-requirements.ts';

/** What decisions on NodePools and NodeClaims depend on. */
export interface AdmissionRules {
  readonly policy: RequirementPolicy;
  /** Kinds of NodeClasses of this provider. Objects that name others are not judged. */
  readonly nodeClasses: readonly NodeClassKind[];
  readonly types: KnownTypes;
}

const allowed: Admission = { errors: [], warnings: [] };

export function admitNodePool(nodePool: Pick<NodePool, 'spec'>, rules: AdmissionRules): Admission {
  const { metadata, spec } = nodePool.spec.template;
  if (nodeClassKindOf(spec.nodeClassRef, rules.nodeClasses) === undefined) return allowed;
  const path = 'spec.template.spec';
  const located = [
    ...locatedLabels(metadata?.labels, 'spec.template.metadata'),
    ...locatedItems(spec.requirements, path),
  ];
  const problems = [
    ...nodePoolProblems(nodePool, rules.policy),
    ...durationProblems(spec, path),
    ...disruptionProblems(nodePool),
  ];
  return withRequirements(problems, located, rules);
}

export function admitNodeClaim({ spec }: Pick<NodeClaim, 'spec'>, rules: AdmissionRules): Admission {
  if (nodeClassKindOf(spec.nodeClassRef, rules.nodeClasses) === undefined) return allowed;
  const problems = [...specProblems({ path: 'spec', spec }, rules.policy), ...durationProblems(spec, 'spec')];
  return withRequirements(problems, locatedItems(spec.requirements, 'spec'), rules);
}

/** Requirements that are invalid on their own are compared with nothing else. */
function withRequirements(
  problems: readonly FieldProblem[],
  located: readonly LocatedRequirement[],
  { policy, types }: AdmissionRules,
): Admission {
  const valid = located.filter(({ item }) => checkRequirement(item, policy).length === 0);
  const contradicting = contradictions(valid, policy.aliases);
  const unmet = contradicting.length > 0 ? allowed : unmetRequirements(valid, types);
  return {
    errors: [...problems, ...contradicting, ...unmet.errors],
    warnings: [...valid.flatMap((each) => mixedValuesWarning(each, policy)), ...unmet.warnings],
  };
}

function mixedValuesWarning(
  { field, item }: LocatedRequirement,
  policy: RequirementPolicy,
): readonly string[] {
  const mixed = mixedKnownValues(item, policy);
  if (mixed === undefined) return [];
  const values = mixed.invalid.join(', ');
  return [`${field}.values: ${mixed.key} is never ${values}; such values have no effect`];
}
