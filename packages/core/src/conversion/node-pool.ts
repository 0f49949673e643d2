import { isJsonObject, type JsonObject, member } from '../schema/index.ts';
import type { ConvertedObject } from './converted-object.ts';
import { dropLabels } from './dropped-labels.ts';
import type { LegacyProvider } from './legacy-provider.ts';
import { downgradeReference, upgradeReference } from './node-class-reference.ts';
import { ObjectDraft, subjectOf } from './object-draft.ts';
import { renameKeys } from './renamed-keys.ts';

export interface ConvertedNodePool extends ConvertedObject {
  /** Kubelet settings of v1beta1, which belong to the NodeClass in v1. */
  readonly kubelet?: JsonObject;
}

const disruption = ['spec', 'disruption'];
const templateSpec = ['spec', 'template', 'spec'];

/** Converts a NodePool of `karpenter.sh/v1beta1` to v1. The caller puts the kubelet settings into the NodeClass. */
export function nodePoolToV1(nodePool: JsonObject, provider: LegacyProvider): ConvertedNodePool {
  const draft = new ObjectDraft(subjectOf(nodePool), nodePool).set(['apiVersion'], 'karpenter.sh/v1');
  upgradeReference(draft, [...templateSpec, 'nodeClassRef'], provider);
  moveExpiry(draft);
  upgradePolicy(draft);
  dropResources(draft);
  for (const path of labelMaps) renameKeys(draft, path, provider.renamedKeys);
  dropLabels(draft, provider);
  const kubelet = draft.get(...templateSpec, 'kubelet');
  draft.remove([...templateSpec, 'kubelet']);
  return { ...draft.finish(), ...(isJsonObject(kubelet) && { kubelet }) };
}

const labelMaps = [
  ['metadata', 'labels'],
  ['metadata', 'annotations'],
  ['spec', 'template', 'metadata', 'labels'],
  ['spec', 'template', 'metadata', 'annotations'],
];

function moveExpiry(draft: ObjectDraft): void {
  const from = [...disruption, 'expireAfter'];
  const value = draft.get(...from);
  if (value === undefined) return;
  draft.take(from, [...templateSpec, 'expireAfter'], value).remove(from);
}

/** A disruption block of v1 must say how long to wait. Without the block both versions consolidate at once. */
function upgradePolicy(draft: ObjectDraft): void {
  const written = draft.get(...disruption);
  if (!isJsonObject(written)) return;
  const policy = written['consolidationPolicy'] ?? 'WhenUnderutilized';
  if (policy === 'WhenUnderutilized') {
    draft.set([...disruption, 'consolidationPolicy'], 'WhenEmptyOrUnderutilized');
  }
  if (written['consolidateAfter'] === undefined) draft.set([...disruption, 'consolidateAfter'], '0s');
}

function dropResources(draft: ObjectDraft): void {
  const path = [...templateSpec, 'resources'];
  const resources = draft.get(...path);
  if (resources === undefined) return;
  draft.remove(path);
  const requests = member(resources, 'requests');
  if (!isJsonObject(requests) || Object.keys(requests).length === 0) return;
  draft.warn({
    code: 'resources-dropped',
    field: path,
    sentence: 'the resources of the template are dropped, because they never had an effect on a NodePool',
    needsReview: false,
  });
}

/** Converts a NodePool of v1 to v1beta1. Fields that v1beta1 did not have stay where they are. */
export function nodePoolToV1beta1(nodePool: JsonObject): ConvertedObject {
  const draft = new ObjectDraft(subjectOf(nodePool), nodePool).set(['apiVersion'], 'karpenter.sh/v1beta1');
  downgradeReference(draft, [...templateSpec, 'nodeClassRef']);
  downgradePolicy(draft);
  const from = [...templateSpec, 'expireAfter'];
  const expireAfter = draft.get(...from);
  if (expireAfter !== undefined) draft.take(from, [...disruption, 'expireAfter'], expireAfter).remove(from);
  return draft.finish();
}

function downgradePolicy(draft: ObjectDraft): void {
  const policy = draft.get(...disruption, 'consolidationPolicy');
  if (policy !== 'WhenEmptyOrUnderutilized') return;
  draft.set([...disruption, 'consolidationPolicy'], 'WhenUnderutilized');
  if (draft.get(...disruption, 'consolidateAfter') === '0s')
    draft.remove([...disruption, 'consolidateAfter']);
}
