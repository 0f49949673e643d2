import { nodeClaimKind, nodePoolKind } from '@karpenter/core/api';
import { kindOf } from '@karpenter/kube/client';
import { ec2NodeClassKind } from './node-class/index.ts';

/** Where the API server keeps the objects that the provider reads and writes. */
export const nodeClaims = kindOf(nodeClaimKind([]));
export const nodePools = kindOf(nodePoolKind([]));
export const ec2NodeClasses = kindOf(ec2NodeClassKind);
