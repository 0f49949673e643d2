/**
 * The custom resource kinds: one schema per kind, from which types, defaults, validation and the CRD are
 * derived. Data only. Descriptions and rules are part of the CRDs, so changing one changes the published API.
 * Start with `node-pool.ts`.
 */

export { type CapacityBuffer, type CapacityBufferSpec, capacityBufferKind } from './capacity-buffer.ts';
export { ageColumn, readyColumn } from './columns.ts';
export type { ReservedDomain } from './label-rules.ts';
export { type NodeClaim, type NodeClaimSpec, type NodeClaimStatus, nodeClaimKind } from './node-claim.ts';
export type { NodeClassReference, TaintSpec } from './node-claim-parts.ts';
export { type NodeOverlay, nodeOverlayKind } from './node-overlay.ts';
export {
  type Budget,
  type NodeClaimTemplate,
  type NodePool,
  nodePoolKind,
} from './node-pool.ts';
export type {
  RequirementField,
  RequirementOperator,
} from './requirement-schema.ts';
