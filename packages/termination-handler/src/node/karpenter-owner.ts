import { labelKeys, unregisteredTaint } from '@karpenter/core/api';
import { isForbidden, isNotFound, type KubeReader, nodeClaims } from '@karpenter/kube/client';
import type { AgentNode } from './node-changes.ts';

const group = 'karpenter.sh/';

/**
 * Whether the controller of Karpenter owns the node, and so terminates it on its own. Nodes say so themselves once they
 * are registered; before that their NodeClaim does.
 */
export async function isOwnedByKarpenter(
  node: AgentNode,
  client: Pick<KubeReader, 'list'>,
): Promise<boolean> {
  return saysSo(node) || (await hasNodeClaim(node, client));
}

function saysSo({ metadata, spec }: AgentNode): boolean {
  const { labels = {}, ownerReferences = [] } = metadata ?? {};
  return (
    labels[labelKeys.nodePool] !== undefined ||
    labels[labelKeys.registered] !== undefined ||
    ownerReferences.some(({ apiVersion, kind }) => kind === 'NodeClaim' && apiVersion.startsWith(group)) ||
    (spec?.taints ?? []).some(({ key }) => key === unregisteredTaint.key)
  );
}

/** A cluster without Karpenter has no such kind (404); a role of another chart may not read it (403). */
async function hasNodeClaim({ spec }: AgentNode, client: Pick<KubeReader, 'list'>): Promise<boolean> {
  const { providerID } = spec ?? {};
  if (providerID === undefined || providerID === '') return false;
  try {
    const { items } = await client.list(nodeClaims);
    return items.some(({ status }) => status?.providerID === providerID);
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return false;
    throw error;
  }
}
