import type { PodSpecView } from '../scheduling/index.ts';
import type { IgnoredReason } from './pending-pod.ts';

/** Whether the pod or one of its containers uses dynamic resource allocation. */
export function usesDynamicResources({
  resourceClaims = [],
  containers,
  initContainers = [],
}: PodSpecView): boolean {
  return (
    resourceClaims.length > 0 ||
    [...containers, ...initContainers].some(({ resources }) => (resources?.claims ?? []).length > 0)
  );
}

export function dynamicResourceErrors(spec: PodSpecView): readonly IgnoredReason[] {
  if (!usesDynamicResources(spec)) return [];
  const message = 'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter';
  return [{ cause: 'dynamic-resources', message }];
}
