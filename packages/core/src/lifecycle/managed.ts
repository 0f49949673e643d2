import { type NodeClaim, nodeClassLabelKey } from '../api/index.ts';
import type { NodeClassKind } from '../ports/index.ts';
import type { ClusterNode } from '../state/index.ts';

type NodeClasses = readonly Pick<NodeClassKind, 'group' | 'kind'>[];

/** Whether the claim asks for a machine of this cloud; other products may have theirs in the same cluster. */
export function isManagedClaim({ spec }: Pick<NodeClaim, 'spec'>, nodeClasses: NodeClasses): boolean {
  const { group, kind } = spec.nodeClassRef;
  return nodeClasses.some((nodeClass) => nodeClass.group === group && nodeClass.kind === kind);
}

/** Whether the Node was made from a NodeClass of this cloud. */
export function isManagedNode({ metadata }: ClusterNode, nodeClasses: NodeClasses): boolean {
  return nodeClasses.some((nodeClass) => metadata.labels?.[nodeClassLabelKey(nodeClass)] !== undefined);
}
