import { labelKeys } from '../api/index.ts';
import {
  checkRequirement,
  type NodeConstraints,
  type NodeSelectorTerm,
  podRequirements,
  type RequirementItem,
  type RequirementPolicy,
  Vocabulary,
} from '../requirements/index.ts';
import type { IgnoredReason } from './pending-pod.ts';

/** Reasons to ignore a pod because of its node selector or required node affinity. */
export function requirementErrors(pod: NodeConstraints, policy: RequirementPolicy): readonly IgnoredReason[] {
  if (pod.nodeSelector === undefined && pod.affinity?.nodeAffinity === undefined) return [];
  const flaws = [
    ...selectorFlaws(pod, policy),
    ...requiredTerms(pod).flatMap((term) => termFlaws(term, policy)),
  ];
  return [
    ...optOut(pod, policy),
    ...flaws.map((message): IgnoredReason => ({ cause: 'requirements', message })),
  ];
}

function selectorFlaws({ nodeSelector = {} }: NodeConstraints, policy: RequirementPolicy): readonly string[] {
  return Object.entries(nodeSelector)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => checkRequirement({ key, operator: 'In', values: [value] }, policy));
}

function termFlaws(
  { matchFields = [], matchExpressions = [] }: NodeSelectorTerm,
  policy: RequirementPolicy,
): readonly string[] {
  return [
    ...(matchFields.length > 0 ? ['node selector term with matchFields is not supported'] : []),
    ...matchExpressions.flatMap((item) => checkRequirement(item, policy)),
  ];
}

function requiredTerms({ affinity }: NodeConstraints): readonly NodeSelectorTerm[] {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

/**
 * Pods opt out of Karpenter nodes by requiring, or even preferring, that the NodePool label does not exist.
 */
function optOut(pod: NodeConstraints, policy: RequirementPolicy): readonly IgnoredReason[] {
  const vocabulary = new Vocabulary();
  const required = podRequirements(vocabulary, nodePoolConstraints(pod, policy)).find(
    vocabulary.key(labelKeys.nodePool),
  );
  if (required?.operator !== 'DoesNotExist') return [];
  const message = `configured to not run on a Karpenter provisioned node (requirement=${labelKeys.nodePool} DoesNotExist)`;
  return [{ cause: 'opted-out', message }];
}

/** The valid constraints of a pod on the NodePool label. */
function nodePoolConstraints(
  { nodeSelector = {}, affinity }: NodeConstraints,
  policy: RequirementPolicy,
): NodeConstraints {
  const isNodePoolItem = (item: RequirementItem) =>
    item.key === labelKeys.nodePool && checkRequirement(item, policy).length === 0;
  const reduced = ({ matchExpressions = [] }: NodeSelectorTerm) => ({
    matchExpressions: matchExpressions.filter(isNodePoolItem),
  });
  const selected = nodeSelector[labelKeys.nodePool];
  const preferred = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return {
    ...(selected !== undefined && { nodeSelector: { [labelKeys.nodePool]: selected } }),
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: requiredTerms({ affinity }).map(reduced),
        },
        preferredDuringSchedulingIgnoredDuringExecution: preferred.map(({ weight, preference }) => ({
          weight,
          preference: reduced(preference),
        })),
      },
    },
  };
}
