import { labelKeys } from '@karpenter/core/api';
import type { PolicyConditions } from './policy-document.ts';
import type { PolicyScope } from './policy-scope.ts';

/** Where IAM looks for a tag: on the existing resource, or in the request that creates or tags one. */
type TagSource = 'ResourceTag' | 'RequestTag';

/** Tags that mark resources of a cluster, on which the policies depend. */
export type ScopingTag = 'cluster' | 'eksCluster' | 'nodePool' | 'nodeClass' | 'region';

/** Conditions on scoping tags, grouped by operator, as IAM requires. */
export function tagConditions(
  scope: PolicyScope,
  wanted: Readonly<Partial<Record<TagSource, readonly ScopingTag[]>>>,
): PolicyConditions {
  const conditions: Record<string, Record<string, string>> = {};
  for (const source of ['ResourceTag', 'RequestTag'] as const) {
    for (const tag of wanted[source] ?? []) {
      const { operator, key, value } = scopingTag(scope, tag);
      const group = conditions[operator] ?? {};
      group[`aws:${source}/${key}`] = value;
      conditions[operator] = group;
    }
  }
  return conditions;
}

function scopingTag({ clusterName, region }: PolicyScope, tag: ScopingTag) {
  switch (tag) {
    case 'cluster':
      return { operator: 'StringEquals', key: `kubernetes.io/cluster/${clusterName}`, value: 'owned' };
    case 'eksCluster':
      return { operator: 'StringEquals', key: 'eks:eks-cluster-name', value: clusterName };
    case 'region':
      return { operator: 'StringEquals', key: labelKeys.region, value: region };
    case 'nodePool':
      return { operator: 'StringLike', key: labelKeys.nodePool, value: '*' };
    case 'nodeClass':
      return { operator: 'StringLike', key: 'karpenter.k8s.aws/ec2nodeclass', value: '*' };
  }
}
