import { type ObjectDraft, removeAnnotation } from '@karpenter/core/conversion';
import { isJsonArray } from '@karpenter/core/schema';
import { aliasFamilies } from '../node-class/index.ts';
import { needsTerms, unknownFamily } from './refusals.ts';
import { awsParkingAnnotations, upgradeUbuntu } from './ubuntu.ts';

const amiFamily = ['spec', 'amiFamily'];
const terms = ['spec', 'amiSelectorTerms'];

/** v1 always selects AMIs by terms. The AMIs that v1beta1 chose for a family become an alias. */
export function upgradeFamily(draft: ObjectDraft, stored: boolean): void {
  const family = draft.get(...amiFamily);
  const written = draft.get(...terms);
  const hasTerms = isJsonArray(written) && written.length > 0;
  if (family === 'Custom') upgradeCustom(draft, hasTerms || stored);
  else if (family === 'Ubuntu') upgradeUbuntu(draft, { hasTerms, stored });
  else if (hasTerms) assumeFamily(draft);
  else putAlias(draft, String(family ?? 'AL2'), stored);
}

function putAlias(draft: ObjectDraft, family: string, stored: boolean): void {
  const alias = aliasOfFamily(family);
  if (alias === undefined && !stored) throw unknownFamily(draft, family);
  if (alias === undefined) return;
  assumeFamily(draft);
  const version = draft.get('metadata', 'annotations', awsParkingAnnotations.aliasVersion) ?? 'latest';
  draft.remove(terms).replace(amiFamily, 'amiSelectorTerms', [{ alias: `${alias}@${version}` }]);
  // Restores an explicit family, unless the family was changed since the annotation was written.
  if (draft.get('metadata', 'annotations', awsParkingAnnotations.amiFamily) === family)
    draft.set(amiFamily, family);
  for (const annotation of [awsParkingAnnotations.aliasVersion, awsParkingAnnotations.amiFamily])
    removeAnnotation(draft, annotation);
}

function aliasOfFamily(family: string): string | undefined {
  return Object.entries(aliasFamilies).find(([, name]) => name === family)?.[0];
}

/** v1beta1 required a family, but manifests that were never applied may lack it. */
function assumeFamily(draft: ObjectDraft): void {
  if (draft.get(...amiFamily) !== undefined) return;
  draft.set(amiFamily, 'AL2').warn({
    code: 'ami-family-assumed',
    field: ['spec'],
    sentence:
      'amiFamily is not set although v1beta1 requires it, so AL2 is assumed; check that this is the family of your images',
    needsReview: true,
  });
}

function upgradeCustom(draft: ObjectDraft, isUsable: boolean): void {
  if (!isUsable) throw needsTerms(draft, 'Custom');
  const userData = draft.get('spec', 'userData');
  if (typeof userData === 'string' && userData.includes('karpenter.sh/unregistered')) return;
  draft.warn({
    code: 'custom-user-data',
    field: ['spec', 'userData'],
    sentence:
      'user data of the family Custom must register nodes with the taint karpenter.sh/unregistered:NoExecute (--register-with-taints of the kubelet); add it',
    needsReview: true,
  });
}
