import { kindOf } from '@karpenter/kube/client';
import { ec2NodeClassKind } from './node-class/index.ts';

export { nodeClaims, nodePools } from '@karpenter/kube/client';

/** The EC2NodeClass kind, for the Kubernetes client. */
export const ec2NodeClasses = kindOf(ec2NodeClassKind);
