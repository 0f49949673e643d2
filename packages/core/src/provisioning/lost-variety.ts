import { provisioningTuning } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import {
  checkMinValues,
  minValuesText,
  type RequirementPolicy,
  Requirements,
  Vocabulary,
} from '../requirements/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';

/**
 * Why a node cannot be asked for although its plan is right: of its types only the cheapest few hundred go on the
 * NodeClaim, and those may not be as different as its pool demands. What its pods are told; absent if all is well.
 */
export function lostVariety(
  { requirements, instanceTypes, nodePool }: Pick<PlannedNode, 'requirements' | 'instanceTypes' | 'nodePool'>,
  types: readonly InstanceType[],
  policy: RequirementPolicy,
): string | undefined {
  if (instanceTypes.length < provisioningTuning.maxInstanceTypesPerNodeClaim) return undefined;
  if (requirements.every(({ minValues }) => minValues === undefined)) return undefined;
  const vocabulary = new Vocabulary({ keys: policy.aliases });
  const kept = new Set(instanceTypes.slice(0, provisioningTuning.maxInstanceTypesPerNodeClaim));
  const { shortfalls } = checkMinValues(
    Requirements.fromItems(vocabulary, requirements),
    types
      .filter(({ name }) => kept.has(name))
      .map((type) => Requirements.fromItems(vocabulary, type.requirements)),
  );
  return shortfalls.length === 0 ? undefined : lostVarietyText(shortfalls, nodePool);
}

/** What the pods of such a node are told. */
export function lostVarietyText(shortfalls: Parameters<typeof minValuesText>[0], nodePool: string): string {
  return `pod didn’t schedule because NodePool couldn’t meet minValues requirements, validating minValues, ${minValuesText(shortfalls)} (NodePool=${nodePool})`;
}
