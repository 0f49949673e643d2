import { type FieldError, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { labelValueProblems, qualifiedNameProblems } from '../kinds/validation/names.ts';
import { metadataOf } from '../store/index.ts';
import { isDeleting, listField } from './object-meta.ts';

// Kubernetes' limit on the total size of keys and values.
const maxAnnotationsBytes = 256 * 1024;

/** Validates metadata by the rules that all kinds share. */
export function validateMetadata(object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  return [
    ...validateLabels(metadataOf(object)['labels']),
    ...validateAnnotations(metadataOf(object)['annotations']),
    ...validateOwners(object),
    ...validateFinalizers(object),
    ...(old === undefined ? [] : validateNewFinalizers(object, old)),
  ];
}

function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return value !== undefined && isJsonObject(value) ? Object.entries(value) : [];
}

function validateLabels(labels: Json | undefined): FieldError[] {
  return entriesOf(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((detail) => invalid('metadata.labels', key, detail)),
    ...labelValueProblems(String(value)).map((detail) => invalid('metadata.labels', value, detail)),
  ]);
}

function validateAnnotations(annotations: Json | undefined): FieldError[] {
  const entries = entriesOf(annotations);
  const problems = entries.flatMap(([key]) =>
    qualifiedNameProblems(key.toLowerCase()).map((detail) => invalid('metadata.annotations', key, detail)),
  );
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(String(value)),
    0,
  );
  if (size <= maxAnnotationsBytes) return problems;
  return [
    ...problems,
    {
      type: 'TooLong',
      field: 'metadata.annotations',
      detail: `may not be more than ${maxAnnotationsBytes} bytes`,
    },
  ];
}

function validateOwners(object: JsonObject): FieldError[] {
  const owners = listField(object, 'ownerReferences');
  // kube-apiserver does not give the index of the reference.
  const errors = owners.flatMap((owner) =>
    ['apiVersion', 'kind', 'name', 'uid'].flatMap((field): FieldError[] =>
      member(owner, field)
        ? []
        : [
            {
              type: 'Invalid',
              field: `metadata.ownerReferences.${field}`,
              value: '',
              detail: ownerDetail(field),
            },
          ],
    ),
  );
  const controllers = owners.filter((owner) => member(owner, 'controller') === true);
  if (controllers.length < 2) return errors;
  const [first, second] = controllers.map(
    (owner) => `${member(owner, 'apiVersion')}.${member(owner, 'kind')}`,
  );
  return [
    ...errors,
    invalid(
      'metadata.ownerReferences',
      [...owners],
      `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`,
    ),
  ];
}

function ownerDetail(field: string): string {
  return field === 'apiVersion' ? 'version must not be empty' : `${field} must not be empty`;
}

function validateFinalizers(object: JsonObject): FieldError[] {
  return listField(object, 'finalizers').flatMap((finalizer) =>
    qualifiedNameProblems(String(finalizer)).map((detail) =>
      invalid('metadata.finalizers', finalizer, detail),
    ),
  );
}

/** A deleted object may lose finalizers but not gain any. */
function validateNewFinalizers(object: JsonObject, old: JsonObject): FieldError[] {
  if (!isDeleting(old)) return [];
  const before = new Set(listField(old, 'finalizers'));
  const added = listField(object, 'finalizers').filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  return [
    {
      type: 'Forbidden',
      field: 'metadata.finalizers',
      detail: `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    },
  ];
}

function invalid(field: string, value: Json, detail: string): FieldError {
  return { type: 'Invalid', field, value, detail };
}
