/** A kind in a version that was served before v1. */
export interface OlderKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

const kinds: readonly (readonly [string, string, string])[] = [
  ['karpenter.sh/v1alpha5', 'Provisioner', 'provisioners'],
  ['karpenter.sh/v1alpha5', 'Machine', 'machines'],
  ['karpenter.sh/v1beta1', 'NodePool', 'nodepools'],
  ['karpenter.sh/v1beta1', 'NodeClaim', 'nodeclaims'],
  ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', 'awsnodetemplates'],
  ['karpenter.k8s.aws/v1beta1', 'EC2NodeClass', 'ec2nodeclasses'],
];

/** Every kind that `karpenter convert` reads. */
export const olderKinds: readonly OlderKind[] = kinds.map(([apiVersion, kind, plural]) => {
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version, kind, plural };
});

/** What to do with an object of an older kind, as the end of a sentence; undefined for other kinds. */
export function conversionHint(apiVersion: string, kind: string): string | undefined {
  const isOlder = olderKinds.some(
    (each) => each.kind === kind && `${each.group}/${each.version}` === apiVersion,
  );
  if (!isOlder) return undefined;
  return `${kind} of ${apiVersion} is an older version that is not served any more; run "karpenter convert -f FILE" and use what it prints`;
}
