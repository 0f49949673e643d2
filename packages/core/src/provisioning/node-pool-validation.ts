import {
  isRestrictedLabel,
  labelKeys,
  type NodePool,
  restrictedLabelError,
  type TaintSpec,
} from '../api/index.ts';
import { checkRequirement, type RequirementPolicy } from '../requirements/index.ts';
import { labelValueProblems, qualifiedNameProblems } from '../values/index.ts';

/** Validates what the CRD schema cannot, with Karpenter's messages. Empty if the pool is valid. */
export function nodePoolErrors(
  { spec }: Pick<NodePool, 'spec'>,
  policy: RequirementPolicy,
): readonly string[] {
  const { metadata, spec: template } = spec.template;
  const { taints = [], startupTaints = [], requirements } = template;
  return [
    ...Object.entries(metadata?.labels ?? {}).flatMap(([key, value]) => labelFlaws(key, value, policy)),
    ...taints.flatMap((taint) => taintFlaws(taint, 'taints')),
    ...startupTaints.flatMap((taint) => taintFlaws(taint, 'startupTaints')),
    ...duplicateFlaws([...taints, ...startupTaints]),
    ...requirements.flatMap((requirement) => requirementFlaws(requirement, policy)),
  ];
}

function labelFlaws(key: string, value: string, policy: RequirementPolicy): readonly string[] {
  const invalidKey = (problem: string) => `invalid key name ${JSON.stringify(key)} in labels, ${problem}`;
  if (key === labelKeys.nodePool) return [invalidKey('restricted')];
  return [
    ...qualifiedNameProblems(key).map((problem) => invalidKey(JSON.stringify(problem))),
    ...labelValueProblems(value).map((problem) => `invalid value: ${value} for label[${key}], ${problem}`),
    ...(isRestrictedLabel(key, policy) ? [invalidKey(restrictedLabelError(key, policy))] : []),
  ];
}

function taintFlaws({ key, value = '' }: TaintSpec, field: string): readonly string[] {
  const problems = [...qualifiedNameProblems(key), ...(value === '' ? [] : qualifiedNameProblems(value))];
  return problems.map((problem) => `invalid value: ${problem} in ${field}`);
}

function duplicateFlaws(taints: readonly TaintSpec[]): readonly string[] {
  const seen = new Set<string>();
  return taints.flatMap(({ key, effect }) => {
    const pair = `${key}=${effect}`;
    if (seen.has(pair)) return [`duplicate taint Key/Effect pair ${pair}`];
    seen.add(pair);
    return [];
  });
}

function requirementFlaws(
  requirement: NodePool['spec']['template']['spec']['requirements'][number],
  policy: RequirementPolicy,
): readonly string[] {
  if (requirement.key === labelKeys.nodePool) {
    return [`invalid key: ${JSON.stringify(requirement.key)} in requirements, restricted`];
  }
  const problems = checkRequirement(requirement, policy);
  return problems.length === 0 ? [] : [`invalid value: ${problems.join('; ')} in requirements, restricted`];
}
