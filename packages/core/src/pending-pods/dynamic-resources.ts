import type { PodSpecView } from '../scheduling/index.ts';

/** Whether a pod asks for devices by dynamic resource allocation, itself or by one of its containers. */
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

export const dynamicResourcesMessage =
  'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter';
