/**
 * Converts the older versions of NodePool and NodeClaim, one step per version. Each step returns the object,
 * typed warnings and the fields that moved, so that comments of a file can follow them. Pure; what the cloud
 * provider defines comes as a `LegacyProvider`. Start with `provisioner.ts` (v1alpha5 to v1beta1), then
 * `node-pool.ts` and `node-claim.ts` (v1beta1 to v1 and back). `parked-fields.ts` converts single stored
 * objects without loss, for conversion webhooks; `older-schemas.ts` has the schemas of v1beta1.
 */

export {
  type ConversionWarning,
  type ConversionWarningCode,
  type ConvertedObject,
  type FieldMove,
  type FieldPath,
  sourcesOf,
} from './converted-object.ts';
export type { LegacyProvider } from './legacy-provider.ts';
export { nodeClaimToV1 } from './node-claim.ts';
export { nodePoolToV1 } from './node-pool.ts';
export { fieldOf, ObjectDraft, subjectOf } from './object-draft.ts';
export { conversionHint, type OlderKind, olderKinds } from './older-kinds.ts';
export { nodeClaimSchemaV1beta1, nodePoolSchemaV1beta1 } from './older-schemas.ts';
export { convertStoredObject, parkingAnnotations, removeAnnotation } from './parked-fields.ts';
export { nodePoolOfProvisioner } from './provisioner.ts';
export {
  provisionerNameLabel,
  renamedKeys,
  renamedTaintKeys,
  renameKeys,
} from './renamed-keys.ts';
export { withOptional, withoutDescriptions, withSchemaField } from './schema-fields.ts';
