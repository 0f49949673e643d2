import { kindOf } from '@karpenter/kube/client';
import { ec2NodeClassKind } from './node-class/index.ts';

export { nodeClaims, nodePools } from '@karpenter/kube/client';

/** Where the API server keeps the NodeClasses of AWS. */
export const ec2NodeClasses = kindOf(ec2NodeClassKind);
