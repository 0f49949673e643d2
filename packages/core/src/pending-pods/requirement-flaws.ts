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

/** What a pod asks of its node that keeps it from being planned for. */
export function requirementFlaws(pod: NodeConstraints, policy: RequirementPolicy): readonly IgnoredReason[] {
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

/** Pods may stay away from nodes that are made here: by asking, even by way of preference, for no NodePool. */
function optOut(pod: NodeConstraints, policy: RequirementPolicy): readonly IgnoredReason[] {
  const vocabulary = new Vocabulary();
  const asked = podRequirements(vocabulary, aboutNodePools(pod, policy)).find(
    vocabulary.key(labelKeys.nodePool),
  );
  if (asked?.operator !== 'DoesNotExist') return [];
  const message = `configured to not run on a Karpenter provisioned node (requirement=${labelKeys.nodePool} DoesNotExist)`;
  return [{ cause: 'opted-out', message }];
}

/** The part of what a pod asks that is about NodePools and makes sense. */
function aboutNodePools(
  { nodeSelector = {}, affinity }: NodeConstraints,
  policy: RequirementPolicy,
): NodeConstraints {
  const isAbout = (item: RequirementItem) =>
    item.key === labelKeys.nodePool && checkRequirement(item, policy).length === 0;
  const reduced = ({ matchExpressions = [] }: NodeSelectorTerm) => ({
    matchExpressions: matchExpressions.filter(isAbout),
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
