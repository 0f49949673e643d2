import { type NodeClaim, nodeClassLabelKey } from '../api/index.ts';
import type { NodeClassKind } from '../ports/index.ts';
import type { ClusterNode } from '../state/index.ts';

type NodeClasses = readonly Pick<NodeClassKind, 'group' | 'kind'>[];

/** Whether the claim refers to a NodeClass of this cloud provider. Other providers may share the cluster. */
export function isManagedClaim({ spec }: Pick<NodeClaim, 'spec'>, nodeClasses: NodeClasses): boolean {
  const { group, kind } = spec.nodeClassRef;
  return nodeClasses.some((nodeClass) => nodeClass.group === group && nodeClass.kind === kind);
}

/** Whether the Node was created from a NodeClass of this cloud provider. */
export function isManagedNode({ metadata }: ClusterNode, nodeClasses: NodeClasses): boolean {
  return nodeClasses.some((nodeClass) => metadata.labels?.[nodeClassLabelKey(nodeClass)] !== undefined);
}
