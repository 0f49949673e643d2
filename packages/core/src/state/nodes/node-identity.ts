import { labelKeys, type NodeClaim } from '../../api/index.ts';
import type { ClusterNode } from '../cluster-object.ts';

/**
 * The id of a Node's entry, as in Karpenter: its provider id, or its name if it is not managed and has none. Undefined
 * while a managed node lacks its provider id, or both instance type and initialized label: until then it could not be
 * matched with its NodeClaim or priced.
 */
export function nodeIdOf({ metadata, spec }: ClusterNode): string | undefined {
  const { labels = {}, name } = metadata;
  const isManaged = hasText(labels[labelKeys.nodePool]);
  if (!isManaged) return spec?.providerID || name;
  const hasType = hasText(labels[labelKeys.instanceType]) || hasText(labels[labelKeys.initialized]);
  return hasType && hasText(spec?.providerID) ? spec?.providerID : undefined;
}

/** The provider id; undefined until the NodeClaim is launched. */
export function claimIdOf({ status }: NodeClaim): string | undefined {
  return status?.providerID || undefined;
}

function hasText(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
