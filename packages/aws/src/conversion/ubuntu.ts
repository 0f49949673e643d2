import type { ObjectDraft } from '@karpenter/core/conversion';
import { isJsonArray } from '@karpenter/core/schema';
import { needsTerms } from './refusals.ts';

/** Annotations for values without a field in v1 or v1beta1, so that a stored object can be converted back. */
export const awsParkingAnnotations = {
  /** Which fields were changed because v1 has no family Ubuntu. */
  ubuntu: 'compatibility.karpenter.k8s.aws/v1beta1-ubuntu',
  /** The version of an alias that is not `latest`. */
  aliasVersion: 'compatibility.karpenter.k8s.aws/v1-alias-version',
  /** The family that v1 had beside an alias of the same family. */
  amiFamily: 'compatibility.karpenter.k8s.aws/v1-ami-family',
} as const;

const mappings = ['spec', 'blockDeviceMappings'];
const terms = ['spec', 'amiSelectorTerms'];

const rootVolume = {
  deviceName: '/dev/sda1',
  rootVolume: true,
  ebs: { encrypted: true, volumeType: 'gp3', volumeSize: '20Gi' },
};

/** v1 has no family Ubuntu. Ubuntu AMIs boot with the user data of AL2 and need another root device. */
export function upgradeUbuntu(
  draft: ObjectDraft,
  { hasTerms, stored }: { readonly hasTerms: boolean; readonly stored: boolean },
): void {
  if (!hasTerms && !stored) throw needsTerms(draft, 'Ubuntu');
  const changed = ['amiFamily'];
  draft.set(['spec', 'amiFamily'], 'AL2');
  if (draft.get(...mappings) === undefined) {
    draft.set(mappings, [rootVolume]);
    changed.push('blockDeviceMappings');
  }
  // Nothing can be launched without terms, but the webhook must convert every stored object.
  if (!hasTerms) {
    draft.set(terms, []);
    changed.push('amiSelectorTerms');
  }
  if (stored) draft.set(['metadata', 'annotations', awsParkingAnnotations.ubuntu], changed.join(','));
  draft.warn({
    code: 'ubuntu-as-al2',
    field: ['spec', 'amiFamily'],
    sentence: `the AMI family Ubuntu does not exist in v1, so nodes boot like AL2 with your Ubuntu images`,
    needsReview: false,
  });
}

/** The reverse of {@link upgradeUbuntu} for a stored object. */
export function restoreUbuntu(draft: ObjectDraft): void {
  const annotation = draft.get('metadata', 'annotations', awsParkingAnnotations.ubuntu);
  if (typeof annotation !== 'string') return;
  draft.set(['spec', 'amiFamily'], 'Ubuntu');
  const changed = annotation.split(',');
  if (changed.includes('blockDeviceMappings')) draft.remove(mappings);
  const written = draft.get(...terms);
  if (changed.includes('amiSelectorTerms') && isJsonArray(written) && written.length === 0)
    draft.remove(terms);
}
