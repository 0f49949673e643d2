import { capacityBufferKind, nodeClaimKind, nodeOverlayKind, nodePoolKind } from '@karpenter/core/api';
import { kindOf } from './custom-kind.ts';

/**
 * Karpenter's own kinds. The label rules stay empty: they
 * only affect the schema of the CRDs, which clients ignore.
 */
export const nodeClaims = kindOf(nodeClaimKind([]));
export const nodePools = kindOf(nodePoolKind([]));
export const nodeOverlays = kindOf(nodeOverlayKind([]));
export const capacityBuffers = kindOf(capacityBufferKind);
