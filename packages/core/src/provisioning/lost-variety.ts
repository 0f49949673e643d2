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
 * The error for the pods of a planned node whose NodeClaim would not satisfy minValues: a claim lists only
 * the cheapest instance types of the plan, and those may have fewer different values. Undefined if the claim
 * is valid.
 */
export function lostVariety(
  { requirements, instanceTypes, nodePool }: Pick<PlannedNode, 'requirements' | 'instanceTypes' | 'nodePool'>,
  types: readonly InstanceType[],
  policy: RequirementPolicy,
): string | undefined {
  if (instanceTypes.length < provisioningTuning.maxInstanceTypesPerNodeClaim) return undefined;
  if (requirements.every(({ minValues }) => minValues === undefined)) return undefined;
  const vocabulary = new Vocabulary({ keys: policy.aliases });
  const listed = new Set(instanceTypes.slice(0, provisioningTuning.maxInstanceTypesPerNodeClaim));
  const { shortfalls } = checkMinValues(
    Requirements.fromItems(vocabulary, requirements),
    types
      .filter(({ name }) => listed.has(name))
      .map((type) => Requirements.fromItems(vocabulary, type.requirements)),
  );
  return shortfalls.length === 0 ? undefined : unmetMinValuesText(shortfalls, nodePool);
}

/** The message for the pods, in Karpenter's words. */
export function unmetMinValuesText(
  shortfalls: Parameters<typeof minValuesText>[0],
  nodePool: string,
): string {
  return `pod didn’t schedule because NodePool couldn’t meet minValues requirements, validating minValues, ${minValuesText(shortfalls)} (NodePool=${nodePool})`;
}
