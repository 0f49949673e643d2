import { capacityBufferKind, nodeClaimKind, nodeOverlayKind, nodePoolKind } from '@karpenter/core/api';
import { kindOf } from './custom-kind.ts';

/** Where Karpenter's own objects are found; label rules matter to their definitions, not to who reads them. */
export const nodeClaims = kindOf(nodeClaimKind([]));
export const nodePools = kindOf(nodePoolKind([]));
export const nodeOverlays = kindOf(nodeOverlayKind([]));
export const capacityBuffers = kindOf(capacityBufferKind);
