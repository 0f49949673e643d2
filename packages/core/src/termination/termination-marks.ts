import { disruptedTaint, excludeFromLoadBalancersValue, labelKeys } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { isSameTaint, type Labels, type Taint } from '../values/index.ts';

export interface TerminationMarks {
  readonly metadata: { readonly labels: Labels };
  readonly spec: { readonly taints: readonly Taint[] };
}

/**
 * The taint and label that keep new pods and load-balancer traffic off a node that is being deleted;
 * undefined if it has both.
 */
export function missingTerminationMarks({ metadata, spec }: ClusterNode): TerminationMarks | undefined {
  const { taints = [] } = spec ?? {};
  const isLabelled = metadata.labels?.[labelKeys.excludeFromLoadBalancers] === excludeFromLoadBalancersValue;
  if (isTainted(taints) && isLabelled) return undefined;
  return {
    metadata: { labels: { [labelKeys.excludeFromLoadBalancers]: excludeFromLoadBalancersValue } },
    spec: { taints: [...taints.filter(({ key }) => key !== disruptedTaint.key), disruptedTaint] },
  };
}

/** Exactly one taint with the key counts: one with another effect would let pods in or evict them. */
function isTainted(taints: readonly Taint[]): boolean {
  const disruptedTaints = taints.filter(({ key }) => key === disruptedTaint.key);
  return disruptedTaints.length === 1 && disruptedTaints.every((taint) => isSameTaint(taint, disruptedTaint));
}
