import { awsLabelPolicy } from '@karpenter/aws';
import type { NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import {
  coreLabelAliases,
  type RequirementItem,
  Requirements,
  Vocabulary,
} from '@karpenter/core/requirements';

/** The instance types that a NodePool allows, with only those of their offerings that it allows. */
export function allowedBy(nodePool: NodePool, types: readonly InstanceType[]): readonly InstanceType[] {
  const vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  const wanted = Requirements.fromItems(vocabulary, poolItems(nodePool));
  const isAllowed = (items: readonly RequirementItem[]) =>
    Requirements.fromItems(vocabulary, items).intersects(wanted);
  return types
    .filter(({ requirements }) => isAllowed(requirements))
    .map((type) => ({
      ...type,
      offerings: type.offerings.filter(({ requirements }) => isAllowed(requirements)),
    }))
    .filter(({ offerings }) => offerings.length > 0);
}

/** Labels of the template act as requirements too, as in Karpenter: nodes get exactly these values. */
export function poolItems({ spec }: NodePool): readonly RequirementItem[] {
  const labels = Object.entries(spec.template.metadata?.labels ?? {});
  return [
    ...spec.template.spec.requirements,
    ...labels.map(([key, value]) => ({ key, operator: 'In', values: [value] })),
  ];
}
