import { type RequirementItem, Requirements, requiredAlternatives } from '../requirements/index.ts';
import { untolerated } from '../values/index.ts';
import type { LintedPool, LintedWorkload, LintInput } from './lint-input.ts';

/** Whether pods of the workload may run on nodes of the pool, as far as taints and labels decide it. */
export function accepts(
  { nodePool }: LintedPool,
  { spec }: LintedWorkload,
  { vocabulary, wellKnown }: LintInput,
): boolean {
  const { taints } = nodePool.spec.template.spec;
  const required = (taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (untolerated(required, spec.tolerations).length > 0) return false;
  const offered = Requirements.fromItems(vocabulary, poolRequirements(nodePool));
  return requiredAlternatives(vocabulary, spec).some((wanted) => offered.compatible(wanted, wellKnown));
}

/** Labels of the template act as requirements too: nodes get exactly these values. */
export function poolRequirements({ metadata, spec }: LintedPool['nodePool']): readonly RequirementItem[] {
  const labels = { ...spec.template.metadata?.labels, 'karpenter.sh/nodepool': metadata.name };
  return [
    ...spec.template.spec.requirements,
    ...Object.entries(labels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })),
  ];
}
