import {
  type ConvertedObject,
  ObjectDraft,
  removeAnnotation,
  renameKeys,
  subjectOf,
} from '@karpenter/core/conversion';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '@karpenter/core/schema';
import { aliasFamilies } from '../node-class/index.ts';
import { awsGroup, awsLegacyProvider } from './aws-legacy-provider.ts';
import { upgradeFamily } from './image-family.ts';
import { awsParkingAnnotations, restoreUbuntu } from './ubuntu.ts';

/** The tag that named the cluster on instances. Karpenter sets its successor itself and rejects it in `spec.tags`. */
const managedByTag = 'karpenter.sh/managed-by';
/** Default hop limit of v1beta1; that of v1 is 1. */
export const hopLimit = 2;

interface NodeClassOptions {
  /** For the webhook, which must convert every object: values without a field in v1 go into annotations. */
  readonly stored?: boolean;
}

/** Converts an EC2NodeClass of `karpenter.k8s.aws/v1beta1` to v1. Throws `not-convertible` if v1 has no equivalent. */
export function nodeClassToV1(
  nodeClass: JsonObject,
  { stored = false }: NodeClassOptions = {},
): ConvertedObject {
  const draft = new ObjectDraft(subjectOf(nodeClass), nodeClass).set(['apiVersion'], `${awsGroup}/v1`);
  if (isJsonObject(draft.get('spec'))) {
    upgradeFamily(draft, stored);
    keepHopLimit(draft);
    dropManagedBy(draft);
  }
  for (const key of ['labels', 'annotations']) {
    renameKeys(draft, ['metadata', key], awsLegacyProvider.renamedKeys);
  }
  return draft.finish();
}

function keepHopLimit(draft: ObjectDraft): void {
  const path = ['spec', 'metadataOptions', 'httpPutResponseHopLimit'];
  if (draft.get(...path) !== undefined) return;
  draft.set(path, hopLimit).warn({
    code: 'hop-limit-kept',
    field: ['spec', 'metadataOptions'],
    sentence: `httpPutResponseHopLimit is not set, so it stays ${hopLimit}; the default of v1 is 1, which keeps pods from the metadata service`,
    needsReview: false,
  });
}

function dropManagedBy(draft: ObjectDraft): void {
  const path = ['spec', 'tags', managedByTag];
  if (draft.get(...path) === undefined) return;
  draft.remove(path).warn({
    code: 'tag-dropped',
    field: ['spec', 'tags'],
    sentence: `the tag ${managedByTag} is dropped, because instances get eks:eks-cluster-name instead`,
    needsReview: false,
  });
}

/** Converts an EC2NodeClass of v1 to v1beta1. Fields that v1beta1 did not have stay where they are. */
export function nodeClassToV1beta1(nodeClass: JsonObject): JsonObject {
  const draft = new ObjectDraft(subjectOf(nodeClass), nodeClass).set(['apiVersion'], `${awsGroup}/v1beta1`);
  restoreUbuntu(draft);
  const alias = aliasOf(draft.get('spec', 'amiSelectorTerms'));
  const amiFamily = draft.get('spec', 'amiFamily');
  if (alias !== undefined && isAliasAlone(amiFamily, alias.family)) {
    draft.remove(['spec', 'amiFamily']).replace(['spec', 'amiSelectorTerms'], 'amiFamily', alias.family);
    if (alias.version !== 'latest') annotate(draft, awsParkingAnnotations.aliasVersion, alias.version);
    if (amiFamily !== undefined) annotate(draft, awsParkingAnnotations.amiFamily, alias.family);
  }
  removeAnnotation(draft, awsParkingAnnotations.ubuntu);
  return draft.finish().object;
}

function annotate(draft: ObjectDraft, annotation: string, value: string): void {
  draft.set(['metadata', 'annotations', annotation], value);
}

interface Alias {
  readonly family: string;
  readonly version: string;
}

function aliasOf(terms: Json | undefined): Alias | undefined {
  const [term] = isJsonArray(terms) ? terms : [];
  const text = isJsonObject(term) ? term['alias'] : undefined;
  if (typeof text !== 'string') return undefined;
  const [name = '', version = ''] = text.split('@');
  const found = Object.entries(aliasFamilies).find(([alias]) => alias === name);
  return found && { family: found[1], version };
}

/** With the family `Custom` an alias only selects the AMI, which v1beta1 cannot express. */
function isAliasAlone(amiFamily: Json | undefined, family: string): boolean {
  return amiFamily === undefined || amiFamily === family;
}
