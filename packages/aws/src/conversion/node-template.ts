import {
  type ConvertedObject,
  type FieldPath,
  fieldOf,
  ObjectDraft,
  renameKeys,
  subjectOf,
} from '@karpenter/core/conversion';
import { CodedError } from '@karpenter/core/errors';
import { isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { awsGroup, awsLegacyProvider, nodeClassKind } from './aws-legacy-provider.ts';
import { type SelectorField, selectorTerms, specialKeys, termSources } from './selector-map.ts';

export interface NodeTemplateOptions {
  /** `aws.defaultInstanceProfile` of the global settings, the default for templates without a profile. */
  readonly defaultInstanceProfile?: string;
}

/** Placeholder for an unknown node role, the same as in Karpenter's conversion tool, for `envsubst`. */
const rolePlaceholder = '$KARPENTER_NODE_ROLE';

/** Converts an AWSNodeTemplate of `karpenter.k8s.aws/v1alpha1` to an EC2NodeClass of v1beta1. */
export function nodeClassOfTemplate(template: JsonObject, options: NodeTemplateOptions): ConvertedObject {
  const draft = new ObjectDraft(subjectOf(template), {});
  for (const [key, value] of Object.entries(template)) {
    if (key === 'apiVersion') draft.set([key], `${awsGroup}/v1beta1`);
    else if (key === 'kind') draft.set([key], nodeClassKind);
    else if (key === 'metadata') draft.set([key], keptMetadata(value));
    else if (key === 'spec') putSpec(draft, { spec: value, from: ['spec'] }, options);
    else if (key !== 'status') draft.set([key], value);
  }
  for (const key of ['labels', 'annotations']) {
    renameKeys(draft, ['metadata', key], awsLegacyProvider.renamedKeys);
  }
  return draft.finish();
}

/** Converts the inline `provider` of a Provisioner to an EC2NodeClass of v1beta1. */
export function nodeClassOfProvider(
  provisioner: JsonObject,
  name: string,
  options: NodeTemplateOptions,
): ConvertedObject {
  const draft = new ObjectDraft(subjectOf(provisioner), {
    apiVersion: `${awsGroup}/v1beta1`,
    kind: nodeClassKind,
    metadata: { name },
  });
  const from = ['spec', 'provider'];
  for (const key of ['apiVersion', 'kind', 'metadata']) draft.moved([...from, key], [key]);
  putSpec(draft, { spec: fieldOf(provisioner, from) ?? null, from }, options);
  return draft.finish();
}

const metadataFields = new Set(['name', 'generateName', 'labels', 'annotations', 'finalizers']);

function keptMetadata(metadata: Json): JsonObject {
  if (!isJsonObject(metadata)) return {};
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => metadataFields.has(key)));
}

interface LegacySpec {
  readonly spec: Json;
  /** Its path in the source object. */
  readonly from: FieldPath;
}

/** Fields of the same name and meaning. */
const sameFields = new Set([
  'userData',
  'tags',
  'context',
  'detailedMonitoring',
  'metadataOptions',
  'blockDeviceMappings',
  'amiFamily',
  'instanceProfile',
]);
/** An inline provider could name its own type. */
const typeFields = new Set(['apiVersion', 'kind']);

function putSpec(draft: ObjectDraft, { spec, from }: LegacySpec, options: NodeTemplateOptions): void {
  draft.take(from, ['spec'], {});
  for (const [key, value] of Object.entries(isJsonObject(spec) ? spec : {})) {
    if (value === null || typeFields.has(key)) continue;
    if (sameFields.has(key)) draft.take([...from, key], ['spec', key], value);
    else if (isSelector(key)) putTerms(draft, { key, value, from });
    else if (key === 'launchTemplate' || key === 'launchTemplateName')
      throw launchTemplateRefused(draft, from, key);
    else dropField(draft, from, key);
  }
  completeSpec(draft, from, options);
}

function isSelector(key: string): key is SelectorField {
  return Object.hasOwn(specialKeys, key);
}

interface Selector {
  readonly key: SelectorField;
  readonly value: Json;
  readonly from: FieldPath;
}

function putTerms(draft: ObjectDraft, { key, value, from }: Selector): void {
  const terms = selectorTerms(value, key);
  draft.take([...from, key], ['spec', `${key}Terms`], terms);
  terms.forEach((term, index) => {
    for (const { source, place } of termSources(value, key, term)) {
      draft.moved([...from, key, source], ['spec', `${key}Terms`, index, ...place]);
    }
  });
  if (!terms.some((term) => Object.hasOwn(term, 'id') && Object.keys(term).length > 1)) return;
  draft.warn({
    code: 'selector-not-allowed',
    field: [...from, key],
    sentence: `the selector names ids together with other conditions, which the API server refuses in ${key}Terms; keep only the ids`,
    needsReview: true,
  });
}

function launchTemplateRefused(draft: ObjectDraft, from: FieldPath, key: string): CodedError {
  const name = draft.get('metadata', 'name');
  return new CodedError(
    'not-convertible',
    `EC2NodeClass ${name} cannot be made, because ${[...from, key].join('.')} names a launch template, which has no successor; write its AMI, user data, disks and profile into the object and remove the field`,
    { details: { field: [...from, key].join('.') } },
  );
}

function dropField(draft: ObjectDraft, from: FieldPath, key: string): void {
  draft.warn({
    code: 'field-dropped',
    field: [...from, key],
    sentence: `the field is dropped, because neither AWSNodeTemplate nor EC2NodeClass has one of this name`,
    needsReview: true,
  });
}

function completeSpec(draft: ObjectDraft, from: FieldPath, options: NodeTemplateOptions): void {
  if (draft.get('spec', 'amiFamily') === undefined) {
    draft.set(['spec', 'amiFamily'], 'AL2').warn({
      code: 'ami-family-assumed',
      field: from,
      sentence: 'amiFamily is not set, so it is AL2, as it was by default',
      needsReview: false,
    });
  }
  if (draft.get('spec', 'instanceProfile') !== undefined) return;
  const { defaultInstanceProfile } = options;
  if (defaultInstanceProfile) draft.set(['spec', 'instanceProfile'], defaultInstanceProfile);
  else putRolePlaceholder(draft, from);
}

function putRolePlaceholder(draft: ObjectDraft, from: FieldPath): void {
  draft.set(['spec', 'role'], rolePlaceholder).warn({
    code: 'node-role-unknown',
    field: from,
    sentence: `no instance profile is named, so role is the placeholder ${rolePlaceholder}; write the name of the node role, or an instanceProfile instead`,
    needsReview: true,
  });
}
