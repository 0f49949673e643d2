import type { SourceGroup } from '@karpenter/aws/migration';
import { type KubeReader, kinds } from '@karpenter/kube/client';

/** Labels by which eksctl and EKS name the group of a node. */
const groupLabels = ['alpha.eksctl.io/nodegroup-name', 'eks.amazonaws.com/nodegroup'];

/** The nodes of groups that only a file describes, whose instances nobody has looked up. */
export async function nodesOfFile(
  client: KubeReader,
  groups: readonly SourceGroup[],
): Promise<readonly string[]> {
  const names = new Set(groups.filter(({ origin }) => origin === 'eksctl file').map(({ name }) => name));
  if (names.size === 0) return [];
  const { items } = await client.list(kinds.node);
  return items.flatMap(({ metadata }) => {
    const isMember = groupLabels.some((label) => names.has(metadata?.labels?.[label] ?? ''));
    return isMember && metadata?.name !== undefined ? [metadata.name] : [];
  });
}
