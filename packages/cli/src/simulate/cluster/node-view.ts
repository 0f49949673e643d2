import { labelKeys } from '@karpenter/core/api';
import type { NodeView } from '@karpenter/core/scheduling';
import {
  parseResourceList,
  podRequests,
  quantityFromInteger,
  type ResourceList,
  resourceTexts,
  sumResources,
  type Taint,
} from '@karpenter/core/values';
import { controllerOf, isDaemon, type WrittenNode, type WrittenPod } from '../input/objects.ts';

const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** A node of the input with the pods that run on it. Nodes are taken to be past initialization. */
export function nodeView(name: string, node: WrittenNode, pods: readonly WrittenPod[]): NodeView {
  const { metadata, status } = node;
  const labels = metadata?.labels ?? {};
  const nodePool = labels[labelKeys.nodePool];
  const owner = controllerOf(metadata);
  const { capacity = {}, allocatable = capacity } = status ?? {};
  parseResourceList(capacity, 'status.capacity');
  parseResourceList(allocatable, 'status.allocatable');
  return {
    name,
    ...(owner?.kind === 'NodeClaim' && { nodeClaim: owner.name }),
    ...(nodePool !== undefined && { nodePool }),
    labels,
    taints: taintsOf(node),
    initialized: true,
    deleting: metadata?.deletionTimestamp !== undefined,
    capacity,
    allocatable,
    ...requestsOn(pods),
  };
}

/** Cordoned nodes get a taint from their controller; a manifest may say it in one way only. */
function taintsOf({ spec }: WrittenNode): readonly Taint[] {
  const taints = spec?.taints ?? [];
  const isCordoned = spec?.unschedulable === true && !taints.some(({ key }) => key === unschedulable.key);
  return isCordoned ? [...taints, unschedulable] : taints;
}

/** What pods take of a node. */
export function requestsOn(pods: readonly WrittenPod[]): Pick<NodeView, 'podRequests' | 'daemonRequests'> {
  return {
    podRequests: resourceTexts(totalRequests(pods)),
    daemonRequests: resourceTexts(totalRequests(pods.filter(isDaemon))),
  };
}

/** Requests together, with one of `pods` for each. */
function totalRequests(pods: readonly WrittenPod[]): ResourceList {
  if (pods.length === 0) return {};
  const requests = sumResources(...pods.map((pod) => podRequests(pod)));
  return { ...requests, pods: quantityFromInteger(pods.length) };
}
