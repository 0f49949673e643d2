import { labelAliases, labelKeys } from '../api/index.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '../schema/index.ts';
import type { ConvertedObject } from './converted-object.ts';
import type { LegacyProvider } from './legacy-provider.ts';
import { fieldOf, ObjectDraft, subjectOf } from './object-draft.ts';
import { disruptionFields, putDisruption } from './provisioner-disruption.ts';
import { renameKeys } from './renamed-keys.ts';

export interface ProvisionerOptions {
  readonly provider: LegacyProvider;
  /** Leaves out the requirements that the admission webhook of v1alpha5 would have added. */
  readonly ignoreDefaults: boolean;
  /** Name of the NodeClass for an inline `provider`; defaults to that of the Provisioner. */
  readonly inlineClass?: string;
}

/** Converts a Provisioner of `karpenter.sh/v1alpha5` to a NodePool of `karpenter.sh/v1beta1`. */
export function nodePoolOfProvisioner(provisioner: JsonObject, options: ProvisionerOptions): ConvertedObject {
  const draft = new ObjectDraft(subjectOf(provisioner), {});
  for (const [key, value] of Object.entries(provisioner)) {
    if (key === 'apiVersion') draft.set([key], 'karpenter.sh/v1beta1');
    else if (key === 'kind') draft.set([key], 'NodePool');
    else if (key === 'metadata') putMetadata(draft, value);
    else if (key === 'spec') putSpec(draft, value, options);
    else if (key !== 'status') draft.set([key], value);
  }
  complete(draft, provisioner, options);
  const { renamedKeys } = options.provider;
  renameKeys(draft, ['metadata', 'labels'], renamedKeys);
  renameKeys(draft, ['metadata', 'annotations'], renamedKeys);
  renameKeys(draft, ['spec', 'template', 'metadata', 'annotations'], renamedKeys);
  renameKeys(draft, ['spec', 'template', 'metadata', 'labels'], renamedKeys);
  dropOwnLabel(draft);
  return draft.finish();
}

const keptMetadata = new Set(['name', 'generateName', 'labels', 'annotations', 'finalizers']);

/** The result is a new object, so what the server wrote into the old one does not belong to it. */
function putMetadata(draft: ObjectDraft, metadata: Json): void {
  if (!isJsonObject(metadata)) return;
  const kept = Object.entries(metadata).filter(([key]) => keptMetadata.has(key));
  draft.set(['metadata'], Object.fromEntries(kept));
}

const template = ['spec', 'template'];
const templateFields: Readonly<Record<string, readonly string[]>> = {
  labels: [...template, 'metadata', 'labels'],
  annotations: [...template, 'metadata', 'annotations'],
  taints: [...template, 'spec', 'taints'],
  startupTaints: [...template, 'spec', 'startupTaints'],
  requirements: [...template, 'spec', 'requirements'],
};
const nodeClassRef = [...template, 'spec', 'nodeClassRef'];

function putSpec(draft: ObjectDraft, spec: Json, options: ProvisionerOptions): void {
  if (!isJsonObject(spec)) return;
  draft.set(['spec'], {});
  for (const [key, value] of Object.entries(spec)) {
    if (value !== null) putField(draft, { key, value, spec, options });
  }
}

interface SpecField {
  readonly key: string;
  readonly value: Json;
  readonly spec: JsonObject;
  readonly options: ProvisionerOptions;
}

function putField(draft: ObjectDraft, { key, value, spec, options }: SpecField): void {
  const moved = Object.hasOwn(templateFields, key) ? templateFields[key] : undefined;
  if (moved !== undefined) draft.take(['spec', key], moved, value);
  else if (key === 'kubeletConfiguration') putKubelet(draft, value);
  else if (key === 'providerRef') putReference(draft, value, options.provider);
  else if (key === 'provider') putInlineReference(draft, options);
  else if (key === 'limits') putLimits(draft, value);
  else if (key === 'weight') draft.set(['spec', 'weight'], value);
  else if (disruptionFields.has(key)) putDisruption(draft, spec);
  else dropUnknown(draft, key);
}

function putKubelet(draft: ObjectDraft, value: Json): void {
  if (!isJsonObject(value)) return;
  const from = ['spec', 'kubeletConfiguration'];
  const { containerRuntime, ...kubelet } = value;
  draft.take(from, [...template, 'spec', 'kubelet'], kubelet);
  if (containerRuntime === undefined) return;
  draft.warn({
    code: 'container-runtime-dropped',
    field: [...from, 'containerRuntime'],
    sentence: `the container runtime ${JSON.stringify(containerRuntime)} is dropped, because nodes always use containerd now`,
    needsReview: containerRuntime !== 'containerd',
  });
}

function putReference(draft: ObjectDraft, value: Json, provider: LegacyProvider): void {
  const kind = member(value, 'kind') ?? provider.templateKind;
  const isOurs = kind === provider.templateKind || kind === provider.nodeClassKind;
  const reference = {
    apiVersion: isOurs ? `${provider.group}/v1beta1` : (member(value, 'apiVersion') ?? ''),
    kind: isOurs ? provider.nodeClassKind : kind,
    name: member(value, 'name') ?? '',
  };
  draft.take(['spec', 'providerRef'], nodeClassRef, inOrderOf(value, reference));
  if (isOurs) return;
  draft.warn({
    code: 'other-provider',
    field: ['spec', 'providerRef'],
    sentence: `the reference to kind ${JSON.stringify(kind)} is kept as it is, because only ${provider.templateKind} can be converted`,
    needsReview: true,
  });
}

/** The fields of a reference in the order of another; those that it does not have come last. */
function inOrderOf(value: Json, reference: JsonObject): JsonObject {
  const written = isJsonObject(value)
    ? Object.keys(value).filter((key) => Object.hasOwn(reference, key))
    : [];
  const ordered = [...new Set([...written, ...Object.keys(reference)])];
  return Object.fromEntries(ordered.map((key) => [key, reference[key] ?? '']));
}

function putInlineReference(draft: ObjectDraft, { provider, inlineClass }: ProvisionerOptions): void {
  if (draft.get(...nodeClassRef) !== undefined) return;
  draft.take(['spec', 'provider'], nodeClassRef, {
    apiVersion: `${provider.group}/v1beta1`,
    kind: provider.nodeClassKind,
    name: inlineClass ?? draft.get('metadata', 'name') ?? '',
  });
}

function putLimits(draft: ObjectDraft, limits: Json): void {
  const resources = member(limits, 'resources');
  if (resources === undefined) return;
  draft.take(['spec', 'limits', 'resources'], ['spec', 'limits'], resources);
  draft.take(['spec', 'limits'], ['spec', 'limits'], resources);
}

function dropUnknown(draft: ObjectDraft, key: string): void {
  draft.warn({
    code: 'field-dropped',
    field: ['spec', key],
    sentence: `the field is dropped, because a Provisioner has no field of this name`,
    needsReview: true,
  });
}

/** Adds what v1alpha5 implied: disruption, defaults of its webhook, and the NodeClass that a NodePool must have. */
function complete(draft: ObjectDraft, provisioner: JsonObject, options: ProvisionerOptions): void {
  const spec = provisioner['spec'];
  if (!options.ignoreDefaults) addDefaults(draft, options.provider);
  if (draft.get(...template, 'spec', 'requirements') === undefined) {
    draft.set([...template, 'spec', 'requirements'], []);
  }
  putDisruption(draft, isJsonObject(spec) ? spec : {});
  if (draft.get(...nodeClassRef) !== undefined) return;
  const { group, nodeClassKind, templateKind } = options.provider;
  draft.set(nodeClassRef, { apiVersion: `${group}/v1beta1`, kind: nodeClassKind, name: 'default' });
  draft.warn({
    code: 'no-node-class',
    field: ['spec'],
    sentence: `there is neither providerRef nor provider, so the NodePool refers to ${nodeClassKind} default; name the one that replaces your ${templateKind}`,
    needsReview: true,
  });
}

function addDefaults(draft: ObjectDraft, { defaults }: LegacyProvider): void {
  const path = [...template, 'spec', 'requirements'];
  const written = draft.get(...path);
  const requirements = isJsonArray(written) ? written : [];
  const keys = new Set(requirements.map((each) => stableKey(fieldOf(each, ['key']))));
  const added = defaults.filter(({ unless }) => !unless.some((key) => keys.has(key)));
  if (added.length === 0) return;
  const missing = added.flatMap((each) => each.requirements);
  draft.set(path, [...requirements, ...missing]);
  draft.warn({
    code: 'defaults-made-explicit',
    field: ['spec', 'requirements'],
    sentence: `requirements that v1alpha5 implied are written out: ${missing.map(requirementText).join('; ')}`,
    needsReview: false,
  });
}

function stableKey(key: Json | undefined): string {
  return labelAliases.get(String(key)) ?? String(key);
}

function requirementText({ key, operator, values }: JsonObject): string {
  return `${key} ${operator} ${isJsonArray(values ?? null) ? (values as readonly Json[]).join(', ') : ''}`;
}

/** A NodePool labels its nodes itself, and the API server refuses the label in a template. */
function dropOwnLabel(draft: ObjectDraft): void {
  const path = [...template, 'metadata', 'labels', labelKeys.nodePool];
  if (draft.get(...path) === undefined) return;
  draft.remove(path).warn({
    code: 'label-dropped',
    field: ['spec', 'labels'],
    sentence: `the label of the Provisioner is dropped, because every NodePool labels its nodes with ${labelKeys.nodePool} itself`,
    needsReview: false,
  });
}
