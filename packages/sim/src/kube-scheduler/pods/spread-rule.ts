import type { TopologySpreadConstraint } from 'kubernetes-types/core/v1.js';
import type { NodeInfo } from '../state/node-info.ts';
import { isRepelled, type PodInfo } from './pod-info.ts';
import { type PodSelection, podSelection, withOwnLabels } from './pod-selection.ts';

/** A wish for even numbers of the selected pods over the domains of a topology. */
export interface SpreadRule {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selection: PodSelection;
  /** Whether the pods of a node, and its domain, count for the pod that asks. */
  counts(node: NodeInfo): boolean;
}

export function spreadRule(constraint: TopologySpreadConstraint, pod: PodInfo): SpreadRule {
  const { nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint;
  const { requiredNodes } = pod;
  const readsAffinity = nodeAffinityPolicy === 'Honor' && requiredNodes !== undefined;
  const readsTaints = nodeTaintsPolicy === 'Honor';
  return {
    topologyKey: constraint.topologyKey,
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 1,
    selection: podSelection({
      namespaces: [pod.identity.namespace],
      labelSelector: withOwnLabels(constraint.labelSelector, pod.identity.labels, {
        same: constraint.matchLabelKeys,
      }),
      onlyStaying: true,
    }),
    counts: (info) =>
      info.node !== undefined &&
      (!readsAffinity || requiredNodes(info.node)) &&
      (!readsTaints || !isRepelled(pod, info.taints)),
  };
}
