import type { PageNode, PagePod } from '@karpenter/core/page-api';
import type { ClusterRows } from './cluster-rows.ts';

/** A node by any name it has had: the NodeClaim, the instance, the Node. */
export function findNode(rows: ClusterRows, name: string): PageNode | undefined {
  const found = rows.nodeNamed(name);
  if (found !== undefined) return found;
  for (const node of rows.nodes.values())
    if (node.name === name || node.nodeClaim === name || node.id.split('/').at(-1) === name) return node;
  return undefined;
}

/** A pod by `namespace/name`. */
export function findPod(rows: ClusterRows, name: string): PagePod | undefined {
  for (const pod of rows.pods.values()) if (podName(pod) === name) return pod;
  return undefined;
}

export const podName = ({ namespace, name }: PagePod): string => `${namespace}/${name}`;
