import { labelKeys, type NodeClaim } from '../api/index.ts';
import type { ClusterNode } from './cluster-object.ts';

/**
 * Under which id a Node is kept; absent while too little is known of it. Nodes that somebody here made always
 * get a provider id, and their instance type before they are initialized: both are waited for.
 */
export function nodeIdOf({ metadata, spec }: ClusterNode): string | undefined {
  const { labels = {}, name } = metadata;
  const isManaged = hasText(labels[labelKeys.nodePool]);
  if (!isManaged) return spec?.providerID || name;
  const isTold = hasText(labels[labelKeys.instanceType]) || hasText(labels[labelKeys.initialized]);
  return isTold && hasText(spec?.providerID) ? spec?.providerID : undefined;
}

/** Absent until the NodeClaim is launched. */
export function claimIdOf({ status }: NodeClaim): string | undefined {
  return status?.providerID || undefined;
}

function hasText(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
