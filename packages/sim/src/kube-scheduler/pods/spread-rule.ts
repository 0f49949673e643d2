import type { TopologySpreadConstraint } from 'kubernetes-types/core/v1.js';
import type { NodeInfo } from '../state/node-info.ts';
import { isRepelled, type PodInfo } from './pod-info.ts';
import { type PodSelection, podSelection, withOwnLabels } from './pod-selection.ts';

/** A compiled topology spread constraint. */
export interface SpreadRule {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly selection: PodSelection;
  /** Whether a node counts for the pod, by nodeAffinityPolicy and nodeTaintsPolicy. */
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
      excludesTerminating: true,
    }),
    counts: (info) =>
      info.node !== undefined &&
      (!readsAffinity || requiredNodes(info.node)) &&
      (!readsTaints || !isRepelled(pod, info.taints)),
  };
}
