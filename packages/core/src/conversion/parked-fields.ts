import { equalJson, isJsonObject, type Json, type JsonObject } from '../schema/index.ts';
import type { FieldPath } from './converted-object.ts';
import type { LegacyProvider } from './legacy-provider.ts';
import { nodeClaimToV1, nodeClaimToV1beta1 } from './node-claim.ts';
import { downgradedReference, upgradedReference } from './node-class-reference.ts';
import { nodePoolToV1, nodePoolToV1beta1 } from './node-pool.ts';
import { fieldOf, ObjectDraft } from './object-draft.ts';

/** Annotations that keep what v1 has no field for, so that a stored object can be converted back. */
export const parkingAnnotations = {
  kubelet: 'compatibility.karpenter.sh/v1beta1-kubelet-conversion',
  nodeClassReference: 'compatibility.karpenter.sh/v1beta1-nodeclass-reference',
} as const;

/**
 * Converts one stored NodePool or NodeClaim between v1beta1 and v1 without knowing any other object, as a conversion
 * webhook must. Undefined for other kinds and versions.
 */
export function convertStoredObject(
  object: JsonObject,
  apiVersion: string,
  provider: LegacyProvider,
): JsonObject | undefined {
  const steps = Object.hasOwn(conversions, String(object['kind'])) && conversions[String(object['kind'])];
  if (!steps) return undefined;
  if (object['apiVersion'] === apiVersion) return object;
  if (apiVersion === 'karpenter.sh/v1') return steps.upgrade(object, provider);
  return apiVersion === 'karpenter.sh/v1beta1' ? steps.downgrade(object, provider) : undefined;
}

interface StoredConversion {
  upgrade(object: JsonObject, provider: LegacyProvider): JsonObject;
  downgrade(object: JsonObject, provider: LegacyProvider): JsonObject;
}

const poolSpec = ['spec', 'template', 'spec'];

const conversions: Readonly<Record<string, StoredConversion>> = {
  NodePool: {
    upgrade: (object, provider) => parked(object, poolSpec, nodePoolToV1(object, provider).object),
    downgrade: (object, provider) =>
      restored(nodePoolToV1beta1(object).object, { object, spec: poolSpec, provider }),
  },
  NodeClaim: {
    upgrade: (object, provider) => parked(object, ['spec'], nodeClaimToV1(object, provider).object),
    downgrade: (object, provider) =>
      restored(nodeClaimToV1beta1(object).object, { object, spec: ['spec'], provider }),
  },
};

/** The converted object with the fields of the old one that v1 cannot hold in annotations. */
function parked(old: JsonObject, spec: FieldPath, converted: JsonObject): JsonObject {
  const draft = new ObjectDraft('', converted);
  park(draft, parkingAnnotations.kubelet, fieldOf(old, [...spec, 'kubelet']));
  const reference = fieldOf(old, [...spec, 'nodeClassRef']);
  const current = fieldOf(converted, [...spec, 'nodeClassRef']);
  // Most references convert back to what they were, and need no annotation.
  if (isJsonObject(current) && !equalJson(downgradedReference(current), reference))
    park(draft, parkingAnnotations.nodeClassReference, reference);
  return draft.finish().object;
}

function park(draft: ObjectDraft, annotation: string, value: Json | undefined): void {
  if (value !== undefined) draft.set(['metadata', 'annotations', annotation], JSON.stringify(value));
}

interface ParkedObject {
  /** The object in v1. */
  readonly object: JsonObject;
  readonly spec: FieldPath;
  readonly provider: LegacyProvider;
}

function restored(converted: JsonObject, { object, spec, provider }: ParkedObject): JsonObject {
  const draft = new ObjectDraft('', converted);
  const kubelet = parkedValue(object, parkingAnnotations.kubelet);
  if (kubelet !== undefined) draft.set([...spec, 'kubelet'], kubelet);
  const reference = parkedValue(object, parkingAnnotations.nodeClassReference);
  // The reference may have changed since; then the stored one is out of date.
  const current = fieldOf(object, [...spec, 'nodeClassRef']);
  if (reference !== undefined && equalJson(upgradedReference(reference, provider), current)) {
    draft.set([...spec, 'nodeClassRef'], reference);
  }
  for (const annotation of Object.values(parkingAnnotations)) removeAnnotation(draft, annotation);
  return draft.finish().object;
}

/** Undefined also where the annotation is not what a conversion wrote: a broken one must not make objects unreadable. */
function parkedValue(object: JsonObject, annotation: string): JsonObject | undefined {
  const text = fieldOf(object, ['metadata', 'annotations', annotation]);
  if (typeof text !== 'string') return undefined;
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Removes an annotation, and the map with its last one. */
export function removeAnnotation(draft: ObjectDraft, annotation: string): void {
  if (draft.get('metadata', 'annotations', annotation) === undefined) return;
  draft.remove(['metadata', 'annotations', annotation]);
  const rest = draft.get('metadata', 'annotations');
  if (isJsonObject(rest) && Object.keys(rest).length === 0) draft.remove(['metadata', 'annotations']);
}
