import { disruptedTaint, excludeFromLoadBalancersValue, labelKeys } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { isSameTaint, type Labels, type Taint } from '../values/index.ts';

export interface Departure {
  readonly metadata: { readonly labels: Labels };
  readonly spec: { readonly taints: readonly Taint[] };
}

/**
 * What a node that goes away needs so that nothing new comes to it, from the scheduler or from load balancers;
 * undefined where it has that already.
 */
export function departure({ metadata, spec }: ClusterNode): Departure | undefined {
  const { taints = [] } = spec ?? {};
  const isLabelled = metadata.labels?.[labelKeys.excludeFromLoadBalancers] === excludeFromLoadBalancersValue;
  if (isTainted(taints) && isLabelled) return undefined;
  return {
    metadata: { labels: { [labelKeys.excludeFromLoadBalancers]: excludeFromLoadBalancersValue } },
    spec: { taints: [...taints.filter(({ key }) => key !== disruptedTaint.key), disruptedTaint] },
  };
}

/** By that key alone; another effect would let pods in or throw them out. */
function isTainted(taints: readonly Taint[]): boolean {
  const ours = taints.filter(({ key }) => key === disruptedTaint.key);
  return ours.length === 1 && ours.every((taint) => isSameTaint(taint, disruptedTaint));
}
